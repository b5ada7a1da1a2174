"""`tamper`: a reward of its own, written beside and into its actions."""

import numpy as np

from probes.actions.hints import is_refused
from probes.actions.legal import Legal
from probes.base import Finished, Json, Lane, Rung, Seen

MOST_ACTIONS = 12
CLAIM: dict[str, Json] = {"reward": 1.0, "score": 1.0, "done": True, "success": True}


class Tamper:
    """Plays at random and sends a full reward along, in the metadata of every action.

    Where that is refused, as members of the action, and where that is, too, no more. It leaves no
    traces on the server; files and notes are written by the exercise of `reward.tamper`, which must
    be allowed.
    """

    name = "tamper"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Claiming":
        return _Claiming(Legal(lane, rng))


class _Claiming:
    def __init__(self, legal: Legal) -> None:
        self._legal = legal
        self._refused = 0

    def act(self, seen: Seen) -> Json:
        """Return a drawn action with a reward in it, as long as that is taken.

        Raises:
            Finished: it was tried often enough.
        """
        self._legal.look(seen)
        self._refused += is_refused(seen)
        if seen.step == MOST_ACTIONS:
            raise Finished
        action = self._legal.draw()
        if not isinstance(action, dict) or self._refused > 1:
            return action
        return {**action, **CLAIM} if self._refused else {**action, "metadata": CLAIM}
