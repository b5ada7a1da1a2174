"""Walks a fixed list of actions, whatever is seen."""

from collections.abc import Sequence

from probes.base import Finished, Json, Seen


class Walk:
    """An agent that plays a trajectory to its end."""

    def __init__(self, actions: Sequence[Json]) -> None:
        self._actions = actions

    def act(self, seen: Seen) -> Json:
        """Return the action of this step.

        Raises:
            Finished: all have been played.
        """
        if seen.step >= len(self._actions):
            raise Finished
        return self._actions[seen.step]
