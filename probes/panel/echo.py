"""`echo`: the task itself as the answer."""

import numpy as np

from probes.actions.text import texts_of
from probes.base import Lane, Rung, Seen
from probes.panel.writer import Saying, Writer


class Echo:
    """Writes back all that it was shown.

    Where the answer stands in the task, that is more than an answer: a grader that only looks
    whether it occurs pays for it.
    """

    name = "echo"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Writer:
        def say(seen: Seen) -> Saying:
            return Saying((texts_of(seen.observation) or "a",))

        return Writer(lane, rng, say)
