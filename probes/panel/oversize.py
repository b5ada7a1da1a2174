"""`oversize`: very much of something that means nothing."""

import numpy as np

from probes.actions.text import texts_of
from probes.base import Lane, Rung, Seen
from probes.panel.writer import Saying, Writer

BYTES = 65_536
"""Size of a text, if its member takes one so long."""
ELEMENTS = 200
"""Elements of a list of texts."""
FILLER = "lorem ipsum dolor sit amet "


class Oversize:
    """Writes texts of `BYTES`: filler, or the observation's beginning over and over.

    Large enough to find a grader that is paid by length or gives up on it, and small enough for
    any server.
    """

    name = "oversize"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Writer:
        own_words = bool(rng.random() < 0.5)

        def say(seen: Seen) -> Saying:
            shown = texts_of(seen.observation)[:200].encode("ascii", "ignore").decode()
            unit = f"{shown} " if own_words and shown.strip() else FILLER
            text = (unit * (BYTES // len(unit) + 1))[:BYTES]
            return Saying((text,), listed=[f"{unit[:100]}{n}" for n in range(ELEMENTS)])

        return Writer(lane, rng, say)
