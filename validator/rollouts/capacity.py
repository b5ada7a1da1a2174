"""How many sessions the server stands, found politely: one more at a time, until one is refused."""

import time
from collections import Counter

from validator.client.session import Session

COOLING = (0.2, 0.4)
"""Seconds before one more session is asked for again, after it was refused; then never."""


class Capacity:
    """The sessions that are open now, and what is known of how many may be."""

    def __init__(self, *, most: int, proven: int, ramp_seconds: float) -> None:
        """Begin with no session open.

        Args:
            most: Sessions that may be asked for at once, whatever the server grants.
            proven: Sessions that an earlier round has had open at once.
            ramp_seconds: Least time between one more worker and the next.
        """
        self.most_open = proven
        """Most sessions open at once so far, each with a reset that succeeded."""
        self._limit = most
        self._ramp_seconds = ramp_seconds
        self._grow_after = 0.0
        self._refusals = Counter[int]()
        """Refusals of one more, by how many sessions were open then."""
        self._granted: set[Session] = set()

    @property
    def open(self) -> int:
        """Return the number of sessions that are open and sure to be there."""
        return len(self._granted)

    @property
    def refused_at(self) -> int | None:
        """Return the most open sessions, where one more was refused while they were open."""
        return self.most_open if self._refusals[self.most_open] else None

    def take_place(self, workers: int) -> bool:
        """Say whether one more worker may ask for a session now, beside those there are.

        Where it may, its place counts as taken.
        """
        if workers >= self._limit or time.perf_counter() < self._grow_after:
            return False
        if self._ramp_seconds:
            self._grow_after = time.perf_counter() + self._ramp_seconds
        return True

    def grant(self, session: Session) -> bool:
        """Count a session that is sure to be there; say whether never so many were open before."""
        self._granted.add(session)
        if self.open <= self.most_open:
            return False
        self.most_open = self.open
        return True

    def let_go(self, session: Session) -> None:
        """Count a session no longer."""
        self._granted.discard(session)

    def refuse(self, workers: int) -> bool:
        """Take in that one more session was refused; say whether that is news on the capacity.

        It is where all the sessions we ever had were open, for the first time. A single refusal may
        be a slot that is freed late, a repeated one is not. A refusal beside fewer sessions says
        nothing, unless it went on for as long as we are patient.
        """
        others = self.open
        if others < self.most_open:
            if workers <= self.most_open:
                self._limit = others
            return False
        self._refusals[others] += 1
        told = self._refusals[others]
        if told > len(COOLING):
            self._limit = others
        else:
            self._grow_after = time.perf_counter() + COOLING[told - 1]
        return told == 1
