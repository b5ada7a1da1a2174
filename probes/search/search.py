"""`search`: looks for the best that can be had on one start, with reset and replay as simulator."""

import numpy as np

from probes.base import Agent, Lane, Rung
from probes.blind.uniform import Uniform
from probes.campaign import Result, Terms
from probes.search.agent import Explorer, Way
from probes.search.archive import DUST, Archive, Plan
from probes.search.cells import leaves_of
from probes.search.memory import WHOLE, Memory
from probes.search.where import place_to_explore

EXCUSED = 3
"""Times that a replay may differ in a few leaves before what differs is no id or clock."""
MOST_VOLATILE = 3
"""Leaves that may differ between replays and still be ids and clocks."""
STRIKES = 2
"""Replays that differ after that, before the world counts as one that does not repeat."""
PLANNED = 4
"""Episodes of which one at most follows a plan that falls short of the top."""
STALE = 25
"""Episodes in a row without a new place, after which what was done must make the difference, not
what is seen, where none ever scored more than another."""


class Search:
    """Plays a start again and again, and keeps the way to every cell it has seen.

    Played alone it knows nothing and draws legal actions.
    """

    name = "search"
    version = "9"
    rung: Rung = "search"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Agent:
        return Uniform().begin(lane, rng)

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> "Exploration":
        return Exploration(lane, rng, terms)


class Exploration:
    """One start being searched: chooses how each episode begins, and draws the consequences."""

    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        self.memory = Memory(lane, rng, terms)
        self.best = -np.inf
        """Highest score of an episode that came to its end."""
        self._worst = np.inf
        self._terms = terms
        self._rng = rng
        self._agent: Explorer | None = None
        self._quiet = 0
        """Episodes since one came to a new place or scored more."""
        self._excused = self._strikes = 0

    @property
    def finished(self) -> bool:
        """Say whether the top was reached, or every action of a single step was tried."""
        memory, top = self.memory, self._terms.top
        if top is not None and self.best >= top - DUST:
            return True
        archive = memory.archive
        if archive is None or memory.blind is not None or len(archive.places) > 1:
            return False
        root = archive.places[archive.root]
        ends = all(edge.to is None for edge in root.edges.values())
        return ends and memory.is_exhausted

    def begin(self, start: str, *, learning: bool) -> Explorer:  # noqa: ARG002
        """Return the agent of the next episode: it goes some way, then explores."""
        self.memory.review()
        self._agent = Explorer(self.memory, self._way())
        return self._agent

    def ended(self, result: Result) -> None:
        """Take in what the last episode showed."""
        assert self._agent is not None
        memory, log = self.memory, self._agent.log
        whole = result.done or len(log.taken) >= self._terms.longest
        log.close(result.reward, whole=whole and result.score is not None)
        memory.endings.note(log, result)
        if result.done and log.taken:
            memory.deduction.note(log.taken[-1].action, leaves_of(result.observation))
        if result.score is not None and whole:
            self._agent.news |= result.score > self.best + DUST
            self.best = max(self.best, result.score)
            self._worst = min(self._worst, result.score)
            self._agent.credit(result.score)
        if memory.blind is not None:
            memory.blind.note(log.actions, result.score if whole else None)
            return
        if not log.seen:
            return
        self._quiet = 0 if self._agent.news else self._quiet + 1
        memory.file(log)
        if self._agent.surprise:
            self._surprised(self._agent)

    def _way(self) -> Way:
        """Return the way that the next episode goes before it explores."""
        memory = self.memory
        if memory.blind is not None:
            return Way(memory.blind.next(self._rng))
        archive = memory.archive
        if archive is None:
            return Way()
        if len(memory.logs) == 1:
            log = memory.logs[0]
            return Way(log.actions, tuple(memory.cells(log)), walked=True)
        if memory.deduction.propose() is not None:
            return Way()
        if archive.new_edges:
            plan = archive.plan(memory.longest)
            if plan is not None and self._is_due(plan):
                return Way(plan.actions, plan.cells)
        place = place_to_explore(memory, self._told_apart(archive))
        return Way(place.way, place.cells, walked=not place.joined)

    def _told_apart(self, archive: Archive) -> Archive:
        """Return the archive, its cells made finer where those there are teach nothing more."""
        memory = self.memory
        if memory.level < WHOLE and memory.is_exhausted:
            memory.tell_apart(memory.level + 1)
        elif memory.level < WHOLE and self._quiet >= STALE and self.best <= self._worst + DUST:
            memory.tell_apart(WHOLE)
        return memory.archive or archive

    def _is_due(self, plan: Plan) -> bool:
        """Say whether a plan is worth an episode: it beats the best, and not each time a little."""
        if plan.score <= self.best + DUST:
            return False
        number, top = len(self.memory.logs), self._terms.top
        wins = top is not None and plan.score >= top - DUST
        return wins or number % PLANNED == 0 or number + 2 >= self._terms.episodes

    def _surprised(self, agent: Explorer) -> None:
        """Draw the consequence of a way that led elsewhere than it should have."""
        memory = self.memory
        if not agent.walked and memory.level < WHOLE:
            memory.tell_apart(memory.level + 1)
            return
        few = len(agent.differed) <= MOST_VOLATILE
        if agent.excusable and few and self._excused < EXCUSED:
            self._excused += 1
            memory.leave_out(agent.differed)
            return
        self._strikes += 1
        if self._strikes >= STRIKES:
            memory.go_blind()
