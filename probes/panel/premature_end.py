"""`premature_end`: says that it is done, at once."""

import numpy as np

from probes.actions.legal import Legal
from probes.base import Finished, Json, Lane, Rung, Seen, Unplayable
from probes.panel.closing import closings

MOST_ACTIONS = 8


class PrematureEnd:
    """Sends the actions that end an episode, one after the other, with nothing done before.

    It has nothing to offer where no action is named for that.
    """

    name = "premature_end"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Ending":
        found = closings(Legal(lane, rng).space)
        if not found:
            raise Unplayable("no action is named for ending an episode")
        return _Ending(found)


class _Ending:
    def __init__(self, found: tuple[Json, ...]) -> None:
        self._found = found

    def act(self, seen: Seen) -> Json:
        """Return the next action that may end the episode.

        Raises:
            Finished: none of them did.
        """
        if seen.step == min(MOST_ACTIONS, 2 * len(self._found)):
            raise Finished
        return self._found[seen.step % len(self._found)]
