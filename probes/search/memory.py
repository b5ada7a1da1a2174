"""What a search knows of one start, from all episodes it has played there."""

from collections.abc import Sequence

import numpy as np

from probes.actions.legal import Legal
from probes.base import Json, Lane, Seen
from probes.campaign import Terms
from probes.search.archive import Archive, Edge, Place
from probes.search.cells import Clocks, Leaves, cell_of
from probes.search.deduction import Deduction
from probes.search.derived import derive
from probes.search.effects import Effects
from probes.search.endings import Endings
from probes.search.gains import Gains, Stars
from probes.search.log import Log
from probes.search.moves import Choices, Listing
from probes.search.openloop import OpenLoop
from probes.search.proposals import Proposals
from probes.search.told import Facts, is_reply, told

COARSE, TIMED, WHOLE = 0, 1, 2
"""What makes a cell: what is seen, without clocks; that and the number of the step; or all that was
done before."""
LEAST_CONTRADICTIONS = 3
"""Contradictions that are put down to ids and clocks, however few edges are known."""
EDGES_PER_CONTRADICTION = 50
"""Where more edges are known, one contradiction among so many is put down to them, too."""


class Memory:
    """All that was learned of one start: its places, what actions do there, and what pays.

    The agent of each episode reads it to choose actions and adds what it sees; between episodes
    the campaign files whole episodes here.
    """

    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        self.legal = Legal(lane, rng)
        self.rng = rng
        self.terms = terms
        self.archive: Archive | None = None
        """The places reached so far; None before the first episode."""
        self.level = COARSE
        self.volatile: frozenset[str] = frozenset()
        """Paths of leaves that differ between replays of the same actions, such as ids."""
        self.clocks = Clocks()
        self.blind: OpenLoop | None = None
        """Takes over where the same actions do not lead to the same places."""
        self.endings = Endings()
        self.facts = Facts()
        self.deduction = Deduction(self.legal.space, np.random.default_rng(rng.spawn(1)[0]))
        self.effects = Effects()
        self.gains = Gains()
        self.stars = Stars()
        self.listing: Listing | None = None
        """What may be tried at every place; None before the first choice."""
        self.halts: dict[str, float] = {}
        """Best score of an episode that was ended at a place by an action that ends all, by cell;
        only of places where one was."""
        self.lifts: dict[str, float] = {}
        """How much more such an episode scored after an action than before it, by mark."""
        self.logs: list[Log] = []
        """Every episode that was filed, in the order of play."""
        self._told = 0
        self._contradictions = 0

    @property
    def is_coarse(self) -> bool:
        """Say whether clocks are left out of cells."""
        return self.level == COARSE

    @property
    def news(self) -> int:
        """Return how often something new was told by a tool or revealed by an end."""
        return self._told + self.endings.news

    @property
    def longest(self) -> int:
        """Return the number of actions in the longest episode filed."""
        return max(len(log.taken) for log in self.logs)

    @property
    def is_exhausted(self) -> bool:
        """Say whether every action was tried at every place; there must be an archive."""
        assert self.archive is not None
        return all(
            place.choices is not None and place.choices.exhausted
            for place in self.archive.places.values()
        )

    def is_idle(self, mark: str) -> bool:
        """Say whether an action led nowhere so far; one that ends episodes may pay elsewhere."""
        return not self.endings.is_ender(mark) and self.gains.is_idle(mark)

    def cell(
        self, leaves: Leaves, before: str, mark: str, step: int, *, refused: bool = False
    ) -> str:
        """Return the name of the cell that an observation belongs to.

        The reply to a tool call does not show where one is; there, what was done makes the cell.

        Args:
            leaves: What is seen.
            before: Cell in which the last action was taken; empty at the start.
            mark: Mark of that action.
            step: Number of actions taken so far.
            refused: The last action was refused, and so changed nothing.
        """
        if before and (self.level == WHOLE or (is_reply(leaves) and self.level == COARSE)):
            return before if refused else cell_of({"before": before, "mark": mark}, frozenset())
        if self.level == COARSE:
            return cell_of(leaves, self.volatile | self.clocks.paths)
        if self.level == TIMED:
            return f"{step}:{cell_of(leaves, self.volatile)}"
        return "start"

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
        revealed = self.endings.revealed
        return Proposals(self.listing.space, derived, observation, revealed).ranked()

    def note_sight(self, observation: Json, log: Log) -> None:
        """Take in what was just seen in an episode, after an action that was not refused."""
        last = log.taken[-1].action if log.taken else None
        if self.facts.note(observation, last):
            self._told += 1
        if log.taken:
            self.deduction.note(last, log.seen[-1])
            self.effects.note(last, log.seen[-2], log.seen[-1])

    def open_archive(self, root: str, leaves: Leaves) -> Archive:
        """Begin an archive that knows nothing but the start, and return it."""
        self.archive = Archive(root, leaves, self.terms.score)
        return self.archive

    def file(self, log: Log) -> None:
        """Enter a finished episode: what it shows of clocks, and its places and edges."""
        before = self.clocks.paths
        self.clocks.note(list(log.seen))
        self.logs.append(log)
        if self.level == COARSE and self.clocks.paths != before:
            self.rebuild()
        else:
            self._enter(log)

    def review(self) -> None:
        """Work out anew what follows from all episodes together, before the next one begins."""
        if self.archive is None:
            return
        self.gains.moves = self.archive.moves()
        self.archive.shorten()
        self.archive.reopen(self.longest)
        self.halts = self.archive.halts(set(self.endings.enders))
        self.lifts = self.archive.lifts(self.halts)

    def tell_apart(self, level: int) -> None:
        """Have cells made by a finer level from now on."""
        self.level = level
        self.rebuild()

    def leave_out(self, paths: set[str]) -> None:
        """Have some leaves left out of cells from now on: they differ for no reason."""
        self.volatile |= paths
        self.rebuild()

    def rebuild(self) -> None:
        """Enter all episodes anew, into other cells."""
        self.archive, self._contradictions = None, 0
        for log in self.logs:
            self._enter(log)

    def go_blind(self) -> None:
        """Go on without looking: the same actions do not lead to the same places here."""
        self.blind = OpenLoop()
        for log in self.logs:
            self.blind.note(log.actions, log.score(self.terms.score) if log.whole else None)

    def cells(self, log: Log) -> list[str]:
        """Return the cells that an episode led through, the start first."""
        found = [self.cell(log.seen[0], "", "", 0)]
        for step, (taken, leaves) in enumerate(zip(log.taken, log.seen[1:], strict=False), 1):
            found.append(self.cell(leaves, found[-1], taken.mark, step, refused=taken.refused))
        return found

    def _enter(self, log: Log) -> None:
        """Enter the places and edges of an episode into the archive."""
        cells = self.cells(log)
        archive = self.archive or self.open_archive(cells[0], log.seen[0])
        if cells[0] != archive.root:
            return  # it began elsewhere: what it shows is of another start
        score = 0.0
        for step, taken in enumerate(log.taken):
            last = step + 1 == len(log.taken)
            if last and not log.whole:
                break
            to = None if last else cells[step + 1]
            if not taken.refused:
                edge = Edge(taken.action, taken.reward, to, step + 1)
                self.stars.note(taken.action, taken.reward)
                self._contradictions += archive.lead(cells[step], taken.mark, edge)
            score = archive.add(score, taken.reward)
            place = archive.places[cells[step]]
            if place.choices is not None:
                place.choices.try_(taken.mark)
            if to is not None:
                way, passed = log.actions[: step + 1], tuple(cells[: step + 2])
                archive.reach(way, passed, score, log.seen[step + 1])
        excused = max(LEAST_CONTRADICTIONS, archive.edges // EDGES_PER_CONTRADICTION)
        if self._contradictions > excused:
            if self.level < WHOLE:
                self.tell_apart(self.level + 1)
            else:
                self.go_blind()
