"""One episode of a search: it goes some way, and explores from its end."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from probes.actions.fit import fits
from probes.actions.hints import is_refused
from probes.actions.space import identity
from probes.base import Finished, Json, Seen
from probes.search.archive import Archive, Place
from probes.search.cells import Leaves, differing, leaves_of, may_be_volatile
from probes.search.log import Log
from probes.search.moves import Choices
from probes.search.proposals import parts_of
from probes.search.told import is_failed

if TYPE_CHECKING:
    from probes.search.search import Exploration

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
MOST_SIGHTS = 6
"""Sights of an episode beside the first that answers are worked out from."""
FEW = 3
"""Leaves that an id or a clock may fill."""


class Explorer:
    """Goes some way, and explores from its end."""

    def __init__(
        self,
        search: "Exploration",
        actions: tuple[Json, ...],
        cells: tuple[str, ...],
        *,
        walked: bool,
    ) -> None:
        self.log = Log()
        self.walked = walked
        self.surprise = False
        self.differed: set[str] = set()
        self.news = False
        """It came to a new place, or scored more than any before."""
        self.excusable = False
        """What differed may be ids and clocks."""
        self.explored_from = 0
        """First step that was no part of the way."""
        self.stays: set[int] = set()
        """Steps whose action led to nothing new."""
        self._search = search
        self._way = actions
        self._expected = cells
        self._cells: list[str] = []
        self._barren = self._errors = 0
        self._sights: list[Json] = []
        self._fresh = False
        """The last action was taken for the first time where it was."""

    def act(self, seen: Seen) -> Json:
        """Return the next action.

        Raises:
            Finished: nothing new has come for long.
        """
        search, said = self._search, seen
        failed = is_refused(seen) or is_failed(seen.observation)
        if seen.error is None and self._sights and failed:
            seen = replace(seen, observation=self._sights[-1], error="refused")
        leaves = leaves_of(seen.observation)
        if seen.error is None:
            self._sights = [*self._sights[:1], *self._sights[1:][-MOST_SIGHTS:], seen.observation]
        self._errors = self._errors + 1 if seen.error is not None else 0
        self.log.see(leaves, seen.reward, refused=seen.error is not None)
        if seen.error is None:
            last = self.log.taken[-1].action if self.log.taken else None
            if search.facts.note(seen.observation, last):
                search.news += 1
            if self.log.taken:
                search.deduction.note(last, leaves)
                search.effects.note(last, self.log.seen[-2], leaves)
        if search.blind is not None:
            return self._unseeing(said)
        before = self._cells[-1] if self._cells else ""
        mark = self.log.taken[-1].mark if self.log.taken else ""
        refused = seen.error is not None
        cell = search.cell(leaves, before, mark, seen.step, refused=refused)
        if search.archive is not None and cell in search.archive.places:
            self.stays.add(seen.step - 1)
        self._cells.append(cell)
        if seen.step < len(self._expected) and not self.surprise:
            self._compare(cell, leaves, self._expected[seen.step])
        if seen.step < len(self._way) and not self.surprise:
            self.explored_from = seen.step + 1
            return self.log.take(self._way[seen.step])
        search.legal.look(said)
        return self._explore(seen, cell, leaves)

    def _compare(self, cell: str, leaves: Leaves, expected: str) -> None:
        """Hold what is seen against what was seen here before.

        A cell may be what was done alone: then what is seen must agree, too.
        """
        search = self._search
        known = search.archive.places.get(expected) if search.archive else None
        if known is not None:
            self.differed = differing(known.leaves, leaves) - search.volatile
            if search.is_coarse:
                self.differed -= search.clocks.paths
        if cell == expected and not self.differed:
            return
        self.surprise = True
        at_start = len(self._cells) == 1
        self.excusable = bool(self.differed) and (
            at_start or all(may_be_volatile(leaves.get(path)) for path in self.differed)
        )

    def _explore(self, seen: Seen, cell: str, leaves: Leaves) -> Json:
        search = self._search
        place = search.archive.places.get(cell) if search.archive else None
        known = place is not None
        paid = bool(seen.reward)
        self._barren = 0 if paid or not known else self._barren + 1
        if self._barren > BARREN or self._errors >= ERRORS:
            raise Finished
        if place is None:
            place = self._new(cell, leaves)
        return self.log.take(self._pick(search.choices(place, seen, self._sights), place))

    def _new(self, cell: str, leaves: Leaves) -> Place:
        """Return a place for a cell that is not in the archive yet."""
        search = self._search
        if search.archive is None:
            search.archive = Archive(cell, leaves, search.terms.score)
            return search.archive.places[cell]
        if cell == search.archive.root:
            return search.archive.places[cell]
        self.news = True
        score = 0.0
        for taken in self.log.taken:
            score = search.archive.add(score, taken.reward)
        search.archive.reach(self.log.actions, tuple(self._cells), score, leaves)
        return search.archive.places[cell]

    def _pick(self, choices: Choices, place: Place) -> Json:
        search = self._search
        guess = search.deduction.propose()
        if guess is not None and fits(search.legal.space, search.legal.space.root, guess):
            return choices.take(guess)
        marks = choices.untried()
        if choices.continuous:
            aimed = choices.fresh(search.effects.aims(self.log.seen[-1]))
            if aimed is not None:
                return choices.take(aimed)
            enough = 2 if choices.one_number else max(FEW, len(place.edges) + len(marks))
            better = self._better(choices, place) if len(place.edges) >= enough else None
            if better is not None:
                return better
            if not marks:
                choices.draw()
                marks = choices.untried()
            if marks and choices.one_number:  # in their order: what paid most elsewhere
                choices.try_(marks[0])
                return choices.action(marks[0])
        ending = self._ending(marks, place)
        marks = (
            ending
            or [mark for mark in marks if not search.is_idle(mark)]
            or (marks if not place.edges or search.rng.random() < IDLY else [])
        )
        if marks:
            mark = self._first(choices, marks, place)
            self._fresh = True
            choices.try_(mark)
            return choices.action(mark)
        self._fresh = False
        return self._onwards(choices, place)

    def _ending(self, marks: list[str], place: Place) -> list[str]:
        """Return, after something new, mostly an untried action that has ended episodes.

        What the new thing was worth may be said only then.
        """
        search = self._search
        if not self._fresh or len(place.cells) < 2 or search.rng.random() >= ENDING:
            return []
        known = set(marks)
        ending = [m for m, at in search.enders.items() if len(at) > 1 and m in known]
        return [ending[int(search.rng.integers(len(ending)))]] if ending else []

    def _first(self, choices: Choices, marks: list[str], place: Place) -> str:
        """Return which of some untried actions to take.

        Mostly one after which episodes were worth more elsewhere, else the likeliest of those
        proposed: one like the best that was tried here, or one not done yet in this episode.
        """
        search = self._search
        known = set(marks)
        done = {taken.mark for taken in self.log.taken}
        proposed = [m for m in choices.proposed if m in known]
        lifting = [m for m in marks if search.lifts.get(m, 0.0) > 0 and m not in done]
        if lifting and search.rng.random() < PROPOSED:
            return max(lifting, key=lambda mark: search.lifts[mark])
        proposed = [m for m in proposed if m not in done] or proposed
        proposed = [m for m in proposed if search.lifts.get(m, 0.0) >= 0] or proposed
        if proposed and search.rng.random() < PROPOSED:
            return self._alike(choices, proposed, place) or proposed[0]
        return search.gains.best(marks, search.rng)

    def _alike(self, choices: Choices, proposed: list[str], place: Place) -> str:
        """Return the proposed action that differs least from the best one tried here.

        Empty where nothing tried here was better than anything else.
        """
        rewards = [edge.reward for edge in place.edges.values()]
        if len(rewards) < 2 or max(rewards) <= min(rewards) or self._search.rng.random() < 0.3:
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
        places = self._search.archive.places if self._search.archive else {}
        after = [
            (edge.action, places[edge.to].leaves)
            for edge in place.edges.values()
            if edge.to is not None and edge.to in places
        ]
        found = choices.between(tried, after, place.leaves)
        if found is None and best[1] <= min(reward for _, reward in tried):
            return None
        if found is None:
            found = choices.near(best[0], 0.4 * 0.75 ** len(tried))
        if identity(found) in choices.tried:
            return None
        choices.try_(identity(found))
        return found

    def _onwards(self, choices: Choices, place: Place) -> Json:
        """Return an action whose outcome is known: rather one that leads to where few went."""
        search = self._search
        assert search.archive is not None
        edges = [edge for edge in place.edges.values() if edge.to is not None]
        if not edges:
            marks = choices.all()
            return choices.action(marks[int(search.rng.integers(len(marks)))])
        visits = np.array([search.archive.places[str(edge.to)].visits for edge in edges])
        weights = 1.0 / (1.0 + visits)
        return edges[int(search.rng.choice(len(edges), p=weights / weights.sum()))].action

    def _unseeing(self, seen: Seen) -> Json:
        """Return the next action of a fixed list, and drawn ones after it."""
        if self._errors >= ERRORS:
            raise Finished
        if seen.step < len(self._way):
            return self.log.take(self._way[seen.step])
        self._search.legal.look(seen)
        return self.log.take(self._search.legal.draw())
