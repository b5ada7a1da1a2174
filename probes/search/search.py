"""`search`: looks for the best that can be had on one start, with reset and replay as simulator."""

from collections.abc import Sequence

import numpy as np

from probes.actions.legal import Legal
from probes.base import Agent, Json, Lane, Rung, Seen
from probes.blind.uniform import Uniform
from probes.campaign import Result, Terms
from probes.search.agent import FEW, Explorer
from probes.search.archive import Archive, Edge, Place, Plan
from probes.search.cells import (
    Clocks,
    Leaves,
    cell_of,
    leaves_of,
)
from probes.search.deduction import Deduction
from probes.search.derived import derive
from probes.search.effects import Effects
from probes.search.gains import Gains, Stars
from probes.search.log import Log
from probes.search.moves import Choices, Listing
from probes.search.openloop import OpenLoop
from probes.search.proposals import Proposals, parts_of
from probes.search.told import Facts, is_reply, told
from probes.search.where import place_to_explore

EXCUSED = 3
"""Times that a replay may differ in a few leaves before what differs is no id or clock."""
STRIKES = 2
"""Replays that differ after that, before the world counts as one that does not repeat."""
COARSE, TIMED, WHOLE = 0, 1, 2
"""What a cell is: what is seen without clocks; with the step; or all that was done before."""
PLANNED = 4
"""Episodes of which one at most follows a plan that falls short of the top."""
STALE = 25
"""Episodes in a row without a new place, after which what was done must make the difference, not
what is seen, where none ever scored more than another."""
TRIED = 3
"""Episodes in which what an end has shown is said before it counts as any other value."""
MOST_REVEALED = 20
"""Values that only ends have shown, of which the newest are kept."""
DUST = 1e-9


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
    """One start being searched."""

    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        self.legal = Legal(lane, rng)
        self.rng = rng
        self.terms = terms
        self.gains = Gains()
        self.stars = Stars()
        self.clocks = Clocks()
        self.volatile: frozenset[str] = frozenset()
        self.level = COARSE
        self.archive: Archive | None = None
        self.blind: OpenLoop | None = None
        """Takes over where the world does not repeat."""
        self.best = -np.inf
        self.revealed: list[Json] = []
        """What only the end of an episode showed."""
        self._tried: dict[str, int] = {}
        """Episodes in which each of these was said."""
        self.facts = Facts()
        self.effects = Effects()
        self.news = 0
        """Times that something more was revealed, or told by a tool."""
        self.enders: dict[str, set[int]] = {}
        """Steps at which an action ended an episode, where it did each time, by its mark."""
        self.halts: dict[str, float] = {}
        """What an episode was worth that was ended at a place, where one was."""
        self.lifts: dict[str, float] = {}
        """How much more it was worth after an action, where that is known."""
        self._goers: set[str] = set()
        self.contradictions = 0
        self._worst = np.inf
        self._quiet = 0
        """Episodes since one came to a new place or scored more."""
        self.deduction = Deduction(self.legal.space, np.random.default_rng(rng.spawn(1)[0]))
        self._logs: list[Log] = []
        self.listing: Listing | None = None
        self._agent: Explorer | None = None
        self._excused = self._strikes = 0

    @property
    def is_coarse(self) -> bool:
        """Say whether clocks are left out of cells."""
        return self.level == COARSE

    @property
    def finished(self) -> bool:
        """Say whether the top was reached, or every action of a single step was tried."""
        if self.terms.top is not None and self.best >= self.terms.top - DUST:
            return True
        if self.archive is None or self.blind is not None or len(self.archive.places) > 1:
            return False
        root = self.archive.places[self.archive.root]
        ends = all(edge.to is None for edge in root.edges.values())
        return ends and self._exhausted(self.archive)

    def begin(self, start: str, *, learning: bool) -> "Explorer":
        """Return the agent of the next episode: it goes some way, then explores."""
        if self.archive is not None:
            self.gains.moves = self.archive.moves()
            self.archive.shorten()
            self.archive.reopen(max(len(log.taken) for log in self._logs))
            enders = {mark for mark, steps in self.enders.items() if len(steps) > 1}
            self.halts = self.archive.halts(enders)
            self.lifts = self.archive.lifts(self.halts)
        actions, cells, walked = self._chosen()
        self._agent = Explorer(self, actions, cells, walked=walked)
        return self._agent

    def ended(self, result: Result) -> None:
        """Take in what the last episode showed."""
        assert self._agent is not None
        log = self._agent.log
        whole = result.done or len(log.taken) >= self.terms.longest
        log.close(result.reward, whole=whole and result.score is not None)
        self._note_end(log, result)
        if result.done and log.taken:
            self.deduction.note(log.taken[-1].action, leaves_of(result.observation))
        if result.score is not None and whole:
            self._agent.news |= result.score > self.best + DUST
            self.best = max(self.best, result.score)
            self._worst = min(self._worst, result.score)
            self._note_gains(self._agent, result.score)
        if self.blind is not None:
            self.blind.note(log.actions, result.score if whole else None)
            return
        if not log.seen:
            return
        self._quiet = 0 if self._agent.news else self._quiet + 1
        before = self.clocks.paths
        self.clocks.note(list(log.seen))
        self._logs.append(log)
        if self.level == COARSE and self.clocks.paths != before:
            self._rebuild()
        else:
            self._file(log)
        if self._agent.surprise:
            self._surprised(self._agent)

    def choices(self, place: Place, seen: Seen, sights: Sequence[Json]) -> Choices:
        """Return the actions to try at a place, which these sights of an episode led to."""
        if place.choices is None:
            space = self.legal.space
            if self.listing is None or self.listing.space is not space:
                self.listing = Listing(space)
            said = told(seen.observation)
            place.choices = Choices(self.listing, said, self.rng, self._proposed(said, sights))
            if place.choices.continuous:
                place.choices.offer(self.stars.actions)
            for mark in place.edges:
                place.choices.try_(mark)
            place.news = self.news
        elif place.news != self.news:
            place.choices.propose(self._proposed(told(seen.observation), sights))
            place.news = self.news
        return place.choices

    def _proposed(self, observation: Json, sights: Sequence[Json]) -> list[Json]:
        """Return the actions worth trying first, none where all there are can be listed."""
        if self.listing is None or self.listing.whole:
            return []
        here = [told(sight) for sight in sights[:1]]
        here += [sight for sight in sights[1:] if told(sight) is sight]
        derived = derive([*here, *self.facts.kept])
        return Proposals(self.listing.space, derived, observation, self.revealed).ranked()

    def cell(
        self, leaves: Leaves, before: str, mark: str, step: int, *, refused: bool = False
    ) -> str:
        """Return the cell of what is seen, after an action in another cell.

        The reply to a tool call does not show where one is: what was done does.
        """
        if before and (self.level == WHOLE or (is_reply(leaves) and self.level == COARSE)):
            return before if refused else cell_of({"before": before, "mark": mark}, frozenset())
        if self.level == COARSE:
            return cell_of(leaves, self.volatile | self.clocks.paths)
        if self.level == TIMED:
            return f"{step}:{cell_of(leaves, self.volatile)}"
        return "start"

    # How the next episode begins.

    def _chosen(self) -> tuple[tuple[Json, ...], tuple[str, ...], bool]:
        """Return the way to go first, the cells it should lead through, and if it was walked so."""
        if self.blind is not None:
            return self.blind.next(self.rng), (), False
        archive = self.archive
        if archive is None:
            return (), (), False
        if len(self._logs) == 1:
            log = self._logs[0]
            return log.actions, tuple(self._cells(log)), True
        if self.deduction.propose() is not None:
            return (), (), False
        if archive.new_edges:
            plan = archive.plan(max(len(log.taken) for log in self._logs))
            if plan is not None and self._is_due(plan):
                return plan.actions, plan.cells, False
        if self.level < WHOLE and self._exhausted(archive):
            self._refine()  # what is not seen must make the difference
        elif self.level < WHOLE and self._quiet >= STALE and self.best <= self._worst + DUST:
            self.level = WHOLE
            self._rebuild()
        place = place_to_explore(self, self.archive or archive)
        return place.way, place.cells, not place.joined

    def _is_due(self, plan: Plan) -> bool:
        """Say whether a plan is worth an episode: it beats the best, and not each time a little."""
        if plan.score <= self.best + DUST:
            return False
        number, top = len(self._logs), self.terms.top
        wins = top is not None and plan.score >= top - DUST
        return wins or number % PLANNED == 0 or number + 2 >= self.terms.episodes

    def _exhausted(self, archive: Archive) -> bool:
        """Say whether all there is to do was done everywhere."""
        return all(
            place.choices is not None and place.choices.exhausted
            for place in archive.places.values()
        )

    def is_idle(self, mark: str) -> bool:
        """Say whether an action led nowhere so far; one that ends episodes may pay elsewhere."""
        return len(self.enders.get(mark, ())) < 2 and self.gains.is_idle(mark)

    # What was learned.

    def _note_end(self, log: Log, result: Result) -> None:
        """Take in which action ended the episode, and what was shown only then."""
        for number, taken in enumerate(log.taken, 1):
            if result.done and number == len(log.taken):
                if taken.mark not in self._goers:
                    self.enders.setdefault(taken.mark, set()).add(number)
            elif not taken.refused:
                self._goers.add(taken.mark)
                self.enders.pop(taken.mark, None)
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

    def _note_gains(self, agent: "Explorer", score: float) -> None:
        """Take in what came after each action: of a way that was gone before, only its end."""
        had = 0.0
        log, stays = agent.log, agent.stays
        for step, taken in enumerate(log.taken):
            if step >= agent.explored_from:
                moved = not taken.refused and step not in stays
                self.gains.note(taken.mark, score - had, moved=moved)
            if self.terms.score == "sum":
                had += taken.reward

    def _cells(self, log: Log) -> list[str]:
        cells = [self.cell(log.seen[0], "", "", 0)]
        for step, (taken, leaves) in enumerate(zip(log.taken, log.seen[1:], strict=False), 1):
            cells.append(self.cell(leaves, cells[-1], taken.mark, step, refused=taken.refused))
        return cells

    def _file(self, log: Log) -> None:
        """Enter an episode into the archive."""
        cells = self._cells(log)
        if self.archive is None:
            self.archive = Archive(cells[0], log.seen[0], self.terms.score)
        archive = self.archive
        if cells[0] != archive.root:
            return  # it began elsewhere: what it shows is of another start
        score = 0.0
        for step, taken in enumerate(log.taken):
            last = step + 1 == len(log.taken)
            if last and not log.whole:
                break
            to = None if last else cells[step + 1]
            edge = Edge(taken.action, taken.reward, to, step + 1)
            if not taken.refused:
                self.stars.note(taken.action, taken.reward)
                self.contradictions += archive.lead(cells[step], taken.mark, edge)
            score = archive.add(score, taken.reward)
            place = archive.places[cells[step]]
            if place.choices is not None:
                place.choices.try_(taken.mark)
            if to is not None:
                archive.reach(log.actions[: step + 1], tuple(cells[: step + 2]), score,
                              log.seen[step + 1])  # fmt: skip
        if self.contradictions > max(FEW, archive.edges // 50):
            if self.level < WHOLE:
                self._refine()
            else:
                self._go_blind()

    def _refine(self) -> None:
        self.level += 1
        self._rebuild()

    def _rebuild(self) -> None:
        """Enter all episodes anew, into other cells."""
        self.archive, self.contradictions = None, 0
        for log in self._logs:
            self._file(log)

    def _surprised(self, agent: "Explorer") -> None:
        """Draw the consequence of a way that led elsewhere than it should have."""
        if not agent.walked and self.level < WHOLE:
            self._refine()
            return
        if agent.excusable and len(agent.differed) <= FEW and self._excused < EXCUSED:
            self._excused += 1
            self.volatile |= agent.differed
            self._rebuild()
            return
        self._strikes += 1
        if self._strikes >= STRIKES:
            self._go_blind()

    def _go_blind(self) -> None:
        self.blind = OpenLoop()
        for log in self._logs:
            self.blind.note(log.actions, log.score(self.terms.score) if log.whole else None)
