"""One episode of a search: it goes some way, and explores from its end."""

from dataclasses import dataclass, field, replace

import numpy as np

from probes.actions.fit import fits
from probes.actions.hints import is_refused
from probes.actions.space import identity
from probes.base import Finished, Json, Seen
from probes.search.archive import Place
from probes.search.cells import Leaves, differing, leaves_of, may_be_volatile
from probes.search.log import Log
from probes.search.memory import Memory
from probes.search.moves import Choices
from probes.search.proposals import parts_of
from probes.search.told import is_failed

BARREN = 40
"""Steps without a new cell or a reward after which an exploring episode is given up."""
ERRORS = 6
"""Refused actions in a row after which it is, too."""
IDLY = 0.1
"""Chance of trying somewhere what led nowhere elsewhere, where nothing else is left to try."""
ENDING = 0.75
"""Chance of an action that ends the episode after something new was done."""
PROPOSED = 0.8
"""Chance of the likeliest proposed action, where some are proposed."""
UNLIKE = 0.3
"""Chance of the likeliest proposed action where another is more like the best one tried."""
WIDEST, NARROWER = 0.4, 0.75
"""How far from the best action tried its neighbours lie, as a share of its numbers (of 1 at least),
and by what factor less for each action that was tried."""
MOST_SIGHTS = 6
"""Sights of an episode beside the first that answers are worked out from."""
LEAST_TRIED = 3
"""Actions tried at a place before a better one is looked for between them."""


@dataclass(frozen=True, slots=True)
class Way:
    """Actions that an episode begins with, before it explores."""

    actions: tuple[Json, ...] = ()
    cells: tuple[str, ...] = ()
    """Cells it should lead through, the start first; empty where no one looks."""
    walked: bool = field(default=False, kw_only=True)
    """An episode has gone it as one; otherwise it is joined of known parts."""


class Explorer:
    """Goes some way, and explores from its end."""

    def __init__(self, memory: Memory, way: Way) -> None:
        self.log = Log()
        self.walked = way.walked
        self.surprise = False
        """The way led elsewhere than it should have."""
        self.differed: set[str] = set()
        """Paths of the leaves that were not as they had been at the same place."""
        self.news = False
        """It came to a new place, or scored more than any before."""
        self.excusable = False
        """What differed may be ids and clocks."""
        self._memory = memory
        self._way = way.actions
        self._expected = way.cells
        self._cells: list[str] = []
        self._explored_from = 0
        """First step that was no part of the way."""
        self._stays: set[int] = set()
        """Steps whose action led to nothing new."""
        self._barren = self._errors = 0
        self._sights: list[Json] = []
        self._fresh = False
        """The last action was taken for the first time where it was."""

    def act(self, seen: Seen) -> Json:
        """Return the next action.

        Raises:
            Finished: nothing new has come for long.
        """
        memory = self._memory
        known = self._refusals_marked(seen)
        leaves = leaves_of(known.observation)
        self._take_in(known, leaves)
        if memory.blind is not None:
            return self._unseeing(seen)
        cell = self._locate(known, leaves)
        if seen.step < len(self._expected) and not self.surprise:
            self._compare(cell, leaves, self._expected[seen.step])
        if seen.step < len(self._way) and not self.surprise:
            self._explored_from = seen.step + 1
            return self.log.take(self._way[seen.step])
        memory.legal.look(seen)
        return self._explore(known, cell, leaves)

    def credit(self, score: float) -> None:
        """Note what the episode earned after each action: of a way gone before, only its end."""
        had = 0.0
        for step, taken in enumerate(self.log.taken):
            if step >= self._explored_from:
                moved = not taken.refused and step not in self._stays
                self._memory.gains.note(taken.mark, score - had, moved=moved)
            if self._memory.terms.score == "sum":
                had += taken.reward

    def _refusals_marked(self, seen: Seen) -> Seen:
        """Return what is seen; an answer that refuses in words as an error at the last sight."""
        failed = is_refused(seen) or is_failed(seen.observation)
        if seen.error is None and self._sights and failed:
            return replace(seen, observation=self._sights[-1], error="refused")
        return seen

    def _take_in(self, seen: Seen, leaves: Leaves) -> None:
        """Enter what is seen into the episode, and what it tells into the memory."""
        refused = seen.error is not None
        if not refused:
            self._sights = [*self._sights[:1], *self._sights[1:][-MOST_SIGHTS:], seen.observation]
        self._errors = self._errors + 1 if refused else 0
        self.log.see(leaves, seen.reward, refused=refused)
        if not refused:
            self._memory.note_sight(seen.observation, self.log)

    def _locate(self, seen: Seen, leaves: Leaves) -> str:
        """Return the cell of what is seen, and enter it into the episode."""
        memory = self._memory
        before = self._cells[-1] if self._cells else ""
        mark = self.log.taken[-1].mark if self.log.taken else ""
        cell = memory.cell(leaves, before, mark, seen.step, refused=seen.error is not None)
        if memory.archive is not None and cell in memory.archive.places:
            self._stays.add(seen.step - 1)
        self._cells.append(cell)
        return cell

    def _compare(self, cell: str, leaves: Leaves, expected: str) -> None:
        """Hold what is seen against what was seen here before.

        A cell may be what was done alone: then what is seen must agree, too.
        """
        memory = self._memory
        known = memory.archive.places.get(expected) if memory.archive else None
        if known is not None:
            self.differed = differing(known.leaves, leaves) - memory.volatile
            if memory.is_coarse:
                self.differed -= memory.clocks.paths
        if cell == expected and not self.differed:
            return
        self.surprise = True
        at_start = len(self._cells) == 1
        self.excusable = bool(self.differed) and (
            at_start or all(may_be_volatile(leaves.get(path)) for path in self.differed)
        )

    def _explore(self, seen: Seen, cell: str, leaves: Leaves) -> Json:
        memory = self._memory
        place = memory.archive.places.get(cell) if memory.archive else None
        known = place is not None
        paid = bool(seen.reward)
        self._barren = 0 if paid or not known else self._barren + 1
        if self._barren > BARREN or self._errors >= ERRORS:
            raise Finished
        if place is None:
            place = self._new(cell, leaves)
        return self.log.take(self._pick(memory.choices(place, seen, self._sights), place))

    def _new(self, cell: str, leaves: Leaves) -> Place:
        """Return a place for a cell that is not in the archive yet."""
        memory = self._memory
        if memory.archive is None:
            return memory.open_archive(cell, leaves).places[cell]
        if cell == memory.archive.root:
            return memory.archive.places[cell]
        self.news = True
        score = 0.0
        for taken in self.log.taken:
            score = memory.archive.add(score, taken.reward)
        memory.archive.reach(self.log.actions, tuple(self._cells), score, leaves)
        return memory.archive.places[cell]

    def _pick(self, choices: Choices, place: Place) -> Json:
        """Return the action to take at a place: the answer, if there is one, or what to try."""
        space, guess = self._memory.legal.space, self._memory.deduction.propose()
        if guess is not None and fits(space, space.root, guess):
            return choices.take(guess)
        marks = choices.untried()
        if choices.continuous:
            aimed = self._aimed(choices, place, len(marks))
            if aimed is not None:
                return aimed
            if not marks:
                choices.draw()
                marks = choices.untried()
            if marks and choices.one_number:  # in their order: what paid most elsewhere
                choices.try_(marks[0])
                return choices.action(marks[0])
        marks = self._worth_trying(marks, place)
        self._fresh = bool(marks)
        if not marks:
            return self._onwards(choices, place)
        mark = self._first(choices, marks, place)
        choices.try_(mark)
        return choices.action(mark)

    def _aimed(self, choices: Choices, place: Place, untried: int) -> Json:
        """Return an action whose number follows from what others brought, None where none does.

        One that should bring what is seen to a number shown, else, where enough was tried, one
        close to the best action here.
        """
        aimed = choices.fresh(self._memory.effects.aims(self.log.seen[-1]))
        if aimed is not None:
            return choices.take(aimed)
        enough = 2 if choices.one_number else max(LEAST_TRIED, len(place.edges) + untried)
        return self._better(choices, place) if len(place.edges) >= enough else None

    def _worth_trying(self, marks: list[str], place: Place) -> list[str]:
        """Return which untried actions to choose from; none where going on is better."""
        ending = self._ending(marks, place)
        if ending:
            return ending
        lively = [mark for mark in marks if not self._memory.is_idle(mark)]
        if lively:
            return lively
        return marks if not place.edges or self._memory.rng.random() < IDLY else []

    def _ending(self, marks: list[str], place: Place) -> list[str]:
        """Return, after something new, mostly an untried action that has ended episodes.

        What the new thing was worth may be said only then.
        """
        memory = self._memory
        if not self._fresh or len(place.cells) < 2 or memory.rng.random() >= ENDING:
            return []
        known = set(marks)
        ending = [mark for mark in memory.endings.enders if mark in known]
        return [ending[int(memory.rng.integers(len(ending)))]] if ending else []

    def _first(self, choices: Choices, marks: list[str], place: Place) -> str:
        """Return which of some untried actions to take.

        Mostly one after which episodes were worth more elsewhere, else the likeliest of those
        proposed: one like the best that was tried here, or one not done yet in this episode.
        """
        memory = self._memory
        known = set(marks)
        done = {taken.mark for taken in self.log.taken}
        proposed = [m for m in choices.proposed if m in known]
        lifting = [m for m in marks if memory.lifts.get(m, 0.0) > 0 and m not in done]
        if lifting and memory.rng.random() < PROPOSED:
            return max(lifting, key=lambda mark: memory.lifts[mark])
        proposed = [m for m in proposed if m not in done] or proposed
        proposed = [m for m in proposed if memory.lifts.get(m, 0.0) >= 0] or proposed
        if proposed and memory.rng.random() < PROPOSED:
            return self._alike(choices, proposed, place) or proposed[0]
        return memory.gains.best(marks, memory.rng)

    def _alike(self, choices: Choices, proposed: list[str], place: Place) -> str:
        """Return the proposed action that differs least from the best one tried here.

        Empty where nothing tried here was better than anything else.
        """
        rewards = [edge.reward for edge in place.edges.values()]
        if len(rewards) < 2 or max(rewards) <= min(rewards) or self._memory.rng.random() < UNLIKE:
            return ""
        best = max(place.edges.values(), key=lambda edge: edge.reward)
        parts = parts_of(best.action)

        def distance(mark: str) -> int:
            other = parts_of(choices.action(mark))
            apart = sum(a != b for a, b in zip(parts, other, strict=False))
            return apart + abs(len(parts) - len(other))

        return min(proposed, key=distance)

    def _better(self, choices: Choices, place: Place) -> Json:
        """Return an action close to the best one here, None where none is better than another."""
        tried = [(edge.action, edge.reward) for edge in place.edges.values()]
        best = max(tried, key=lambda one: one[1])
        places = self._memory.archive.places if self._memory.archive else {}
        after = [
            (edge.action, places[edge.to].leaves)
            for edge in place.edges.values()
            if edge.to is not None and edge.to in places
        ]
        found = choices.between(tried, after, place.leaves)
        if found is None and best[1] <= min(reward for _, reward in tried):
            return None
        if found is None:
            found = choices.near(best[0], WIDEST * NARROWER ** len(tried))
        if identity(found) in choices.tried:
            return None
        choices.try_(identity(found))
        return found

    def _onwards(self, choices: Choices, place: Place) -> Json:
        """Return an action whose outcome is known: rather one that leads to where few went."""
        memory = self._memory
        assert memory.archive is not None
        edges = [edge for edge in place.edges.values() if edge.to is not None]
        if not edges:
            marks = choices.all()
            return choices.action(marks[int(memory.rng.integers(len(marks)))])
        visits = np.array([memory.archive.places[str(edge.to)].visits for edge in edges])
        weights = 1.0 / (1.0 + visits)
        return edges[int(memory.rng.choice(len(edges), p=weights / weights.sum()))].action

    def _unseeing(self, seen: Seen) -> Json:
        """Return the next action of a fixed list, and drawn ones after it."""
        if self._errors >= ERRORS:
            raise Finished
        if seen.step < len(self._way):
            return self.log.take(self._way[seen.step])
        self._memory.legal.look(seen)
        return self.log.take(self._memory.legal.draw())
