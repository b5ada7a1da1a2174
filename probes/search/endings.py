"""What the ends of episodes teach a search: which actions end one, and what is shown only then."""

from probes.base import Json
from probes.campaign import Result
from probes.search.cells import leaves_of
from probes.search.log import Log
from probes.search.proposals import parts_of
from probes.search.told import told

TRIED = 3
"""Episodes in which a revealed value is put into an action before it counts as any other value."""
MOST_REVEALED = 20
"""Revealed values that are kept, the newest ones."""


class Endings:
    """What was learned from the ends of all episodes of one start."""

    def __init__(self) -> None:
        self.revealed: list[Json] = []
        """Values that no observation but the last one of an episode has shown, newest first."""
        self.news = 0
        """How many values were revealed so far, those dropped since included."""
        self._tried: dict[str, int] = {}
        """Episodes in which an action held a revealed value, by the value's `repr`."""
        self._ended_at: dict[str, set[int]] = {}
        """Numbers of the steps at which an action ended an episode, by its mark; without those
        that an episode has gone on after."""
        self._went_on: set[str] = set()
        """Marks of the actions that an episode has gone on after."""

    @property
    def enders(self) -> list[str]:
        """Return the marks of the actions that end every episode.

        Such an action was the last one each time it was taken, at two different steps at least: one
        step alone may be where the environment's limit lies.
        """
        return [mark for mark, steps in self._ended_at.items() if len(steps) > 1]

    def is_ender(self, mark: str) -> bool:
        """Say whether an action is one of `enders`."""
        return len(self._ended_at.get(mark, ())) > 1

    def note(self, log: Log, result: Result) -> None:
        """Take in an episode that has come to its end."""
        self._note_last(log, done=result.done)
        for value in self.revealed:
            if any(value in parts_of(taken.action) for taken in log.taken):
                self._tried[repr(value)] = self._tried.get(repr(value), 0) + 1
        self.revealed = [one for one in self.revealed if self._tried.get(repr(one), 0) < TRIED]
        shown = {repr(value) for leaves in log.seen for value in leaves.values()} | set(self._tried)
        for value in leaves_of(told(result.observation)).values():
            fresh = isinstance(value, str | int | float) and not isinstance(value, bool)
            if fresh and value != "" and repr(value) not in shown and value not in self.revealed:
                self.revealed = [value, *self.revealed][:MOST_REVEALED]
                self.news += 1

    def _note_last(self, log: Log, *, done: bool) -> None:
        """Take in which action ended the episode, and which ones did not."""
        for number, taken in enumerate(log.taken, 1):
            if done and number == len(log.taken):
                if taken.mark not in self._went_on:
                    self._ended_at.setdefault(taken.mark, set()).add(number)
            elif not taken.refused:
                self._went_on.add(taken.mark)
                self._ended_at.pop(taken.mark, None)
