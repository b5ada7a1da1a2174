"""Whose fault a failure was.

An episode that broke off without an answer is played again, on a new session and after a pause.
If it then comes to its end, what broke it off was the way there: such attempts are set aside and
counted, and are nothing of the environment's. If it breaks off the same way each time, at the
same frame, while the resets of new sessions are answered, it is the environment's own fault, and
stands. A fault that repetition has shown to be its own three times, and never to pass, is
believed from then on.
"""

import time
from collections import Counter
from typing import Literal, TypeAlias

from validator.client.faults import SessionFault, Timeout
from validator.episodes import Episode, EpisodeKey, Failed

PAUSES = (0.1, 0.5)
"""Seconds before an episode that was lost is played again, for the first time and the second."""
PAUSES_AFTER_TIMEOUT = (0.1,)
"""The same where no answer came in time: each attempt takes long enough."""
BELIEVED = 3
"""Episodes that show a fault to be the environment's own, after which it is no longer tried."""
NEVER_STARTED = 3
"""Failed resets in a row after which a run that has seen no reset succeed is stopped."""
BROKEN = 8
"""Failed attempts in a row after which any run is stopped."""

Way: TypeAlias = tuple[str, str, int]
"""How an episode was lost: boundary, operation, and frames until then."""


class Faults:
    """Keeps count of what broke off, and says what is played again and when to give up."""

    def __init__(self, *, any_started: bool) -> None:
        self.any_started = any_started
        """A reset has succeeded, now or in an earlier round."""
        self.passing = 0
        """Attempts that were lost on the way."""
        self._attempts: dict[EpisodeKey, list[Way]] = {}
        self._furthest: dict[EpisodeKey, Episode] = {}
        self._own = Counter[tuple[str, str]]()
        self._passed = Counter[tuple[str, str]]()
        self._in_a_row = 0

    def stops(self, episode: Episode) -> str:
        """Take note of an attempt and say why the run is to stop, empty where it goes on.

        It stops where the server has gone, or never began to work.
        """
        outcome = episode.outcome
        broke = isinstance(outcome, Failed) and (episode.start is None or not _answered(episode))
        self._in_a_row = self._in_a_row + 1 if broke else 0
        if self._in_a_row < (BROKEN if self.any_started else NEVER_STARTED):
            return ""
        assert isinstance(outcome, Failed)
        return f"{self._in_a_row} episodes in a row failed, the last with {outcome.why!r}"

    def pause(self, episode: Episode) -> float | None:
        """Return the seconds after which an episode is to be played again, None where it stands."""
        way = _way(episode)
        earlier = self._attempts.setdefault(episode.key, [])
        if way is None or not self.any_started:
            self._settle(episode.key, own=False)
            return None
        pauses = PAUSES_AFTER_TIMEOUT if way[0] == "timeout" else PAUSES
        if self._own[way[:2]] >= BELIEVED and not self._passed[way[:2]]:
            self._settle(episode.key, own=True)
            return None
        if len(earlier) >= len(pauses):
            own = all(one == way for one in earlier)
            self._own[way[:2]] += own
            self._settle(episode.key, own=own)
            return None
        earlier.append(way)
        known = self._furthest.setdefault(episode.key, episode)
        if len(episode.frames) > len(known.frames):
            self._furthest[episode.key] = episode
        return pauses[len(earlier) - 1]

    def furthest(self, episode: Episode) -> Episode:
        """Return what tells most of an episode that is not played again.

        That is an earlier attempt of it where no session could be had since.
        """
        attempt = self._furthest.pop(episode.key, episode)
        return episode if episode.start is not None or attempt.start is None else attempt

    def left(self) -> list[Episode]:
        """Return, of what began and was not played again, the attempts that got furthest."""
        return [one for one in self._furthest.values() if one.start is not None]

    def _settle(self, key: EpisodeKey, *, own: bool) -> None:
        attempts = self._attempts.pop(key)
        if not own:
            self.passing += len(attempts)
            self._passed.update(way[:2] for way in attempts)


def unopened(key: EpisodeKey, fault: SessionFault, began: float, *, refused: bool) -> Episode:
    """Return the episode that was not begun, since no session could be had."""
    boundary: Literal["timeout", "error", "refused"]
    boundary = "refused" if refused else "timeout" if isinstance(fault, Timeout) else "error"
    return Episode(
        key=key,
        position=0,
        outcome=Failed(boundary=boundary, why=str(fault)),
        ended="failed",
        start=None,
        steps=(),
        frames=(),
        open_seconds=None,
        reset_seconds=None,
        seconds=time.perf_counter() - began,
    )


def _way(episode: Episode) -> Way | None:
    """Return how an episode was lost, None where it was not: it has an answer, be it an error.

    What is played under load is there to show what breaks under load, and is not played again.
    """
    outcome = episode.outcome
    if episode.key.condition == "loaded":
        return None
    if not isinstance(outcome, Failed) or outcome.boundary == "refused" or episode.unplayable:
        return None
    operation, _, why = outcome.why.partition(": ")
    if _answered(episode) and not why.startswith("unreadable answer"):
        return None
    return outcome.boundary, operation, len(episode.frames)


def _answered(episode: Episode) -> bool:
    """Say whether the server's last word was an answer, be it an error frame."""
    return bool(episode.frames) and episode.frames[-1].way == "received"
