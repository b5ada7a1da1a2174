"""What a search knows of a world that repeats: its places, and where each action leads."""

import math
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from probes.base import Json
from probes.search.cells import Leaves
from probes.search.moves import Choices

DUST = 1e-9
"""Difference of two scores that counts as none."""
SHARED = 3
"""Actions that lead from one place to the same other one, from which on it is no one's own."""
MOST_WORK = 20_000
"""Edges that are looked at for one plan."""


@dataclass(slots=True)
class Place:
    """A cell, and the best way there that was walked."""

    key: str
    way: tuple[Json, ...]
    cells: tuple[str, ...]
    """Cells on that way, this one last."""
    score: float
    """Earned on it."""
    leaves: Leaves
    """What was seen there."""
    joined: bool = False
    """The way is joined of parts that were never walked as one."""
    visits: int = 0
    choices: Choices | None = None
    news: int = 0
    """What had been revealed when its choices were proposed, as a count."""
    edges: "dict[str, Edge]" = field(default_factory=dict)
    """What came of each action, by its mark."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What came of an action somewhere."""

    action: Json
    reward: float
    to: str | None
    """Cell it led to; None where the episode ended with it."""
    step: int = 0
    """Number of the step in the shortest episode in which it came so, from 1."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Actions from the start that should earn so much."""

    actions: tuple[Json, ...]
    cells: tuple[str, ...]
    """Cells that should be seen, one more than actions where the episode goes on."""
    score: float


class Archive:
    """The places found so far, and the edges between them."""

    def __init__(self, root: str, leaves: Leaves, rule: Literal["sum", "last", "max"]) -> None:
        self.root = root
        self.rule = rule
        self.places: dict[str, Place] = {root: Place(root, (), (root,), 0.0, leaves)}
        self.edges = 0
        self.new_edges = 0

    def add(self, score: float, reward: float) -> float:
        """Return the score of an episode after one more reward."""
        if self.rule == "sum":
            return score + reward
        return reward if self.rule == "last" else max(score, reward)

    def reach(
        self, way: tuple[Json, ...], cells: tuple[str, ...], score: float, leaves: Leaves
    ) -> bool:
        """Take in that the last of some cells was reached; say whether it is new."""
        place = self.places.get(cells[-1])
        if place is None:
            self.places[cells[-1]] = Place(cells[-1], way, cells, score, leaves, visits=1)
            return True
        place.visits += 1
        if score > place.score + 1e-12 or (score >= place.score and len(way) < len(place.way)):
            place.way, place.cells, place.score, place.leaves = way, cells, score, leaves
            place.joined = False
        return False

    def lead(self, key: str, mark: str, edge: Edge) -> bool:
        """Take in what came of an action; say whether it contradicts what came of it before."""
        place = self.places[key]
        known = place.edges.get(mark)
        if known is None:
            self.edges += 1
            self.new_edges += 1
            place.edges[mark] = edge
            return False
        if known.to is None and (edge.to is not None or edge.step < known.step):
            place.edges[mark] = edge
        if round(known.reward, 9) != round(edge.reward, 9):
            return True
        # an episode may end by its length
        return None not in (known.to, edge.to) and known.to != edge.to

    def reopen(self, longest: int) -> None:
        """Have done anew what only the length of an episode may have ended, where time is left."""
        for place in self.places.values():
            for mark, edge in place.edges.items():
                ended = edge.to is None and edge.step >= longest > len(place.way) + 1
                if ended and place.choices is not None:
                    place.choices.retry(mark)

    def shorten(self) -> None:
        """Give each place the shortest way there that can be joined of known parts.

        Only where it earns as much as the way that is known.
        """
        here: list[tuple[str, float, tuple[Json, ...], tuple[str, ...]]]
        here = [(self.root, 0.0, (), (self.root,))]
        seen = {self.root}
        while here:
            ahead: list[tuple[str, float, tuple[Json, ...], tuple[str, ...]]] = []
            for key, score, way, cells in here:
                for edge in self.places[key].edges.values():
                    if edge.to is None or edge.to in seen:
                        continue
                    seen.add(edge.to)
                    total = self.add(score, edge.reward)
                    found = (*way, edge.action), (*cells, edge.to)
                    ahead.append((edge.to, total, *found))
                    place = self.places[edge.to]
                    if len(found[0]) < len(place.way) and total >= place.score:
                        (place.way, place.cells), place.score = found, total
                        place.joined = True
            here = ahead

    def moves(self) -> "dict[str, tuple[int, int]]":
        """Return of each action where it was taken, and where it led to a place of its own.

        A place that several actions lead to from the same one is what comes of doing nothing that
        counts.
        """
        found: dict[str, tuple[int, int]] = {}
        for key, place in self.places.items():
            shared = Counter(edge.to for edge in place.edges.values())
            for mark, edge in place.edges.items():
                n, moved = found.get(mark, (0, 0))
                own = edge.to is None or (edge.to != key and shared[edge.to] < SHARED)
                found[mark] = n + 1, moved + own
        return found

    def halts(self, enders: Container[str]) -> dict[str, float]:
        """Return what an episode was worth that was ended at a place, for places where one was.

        Args:
            enders: Marks of the actions that end episodes wherever they are taken. What their
                length ends, or what is reached, says nothing of stopping at a place.
        """
        found: dict[str, float] = {}
        for key, place in self.places.items():
            edges = place.edges.items()
            ends = [edge.reward for mark, edge in edges if edge.to is None and mark in enders]
            if ends:
                found[key] = self.add(place.score, max(ends))
        return found

    def lifts(self, halts: Mapping[str, float]) -> dict[str, float]:
        """Return of each action how much more an episode was worth that was ended after it.

        The mean over the places where that is known; `halts` is what `halts()` returned.
        """
        found: dict[str, list[float]] = {}
        for key, worth in halts.items():
            for mark, edge in self.places[key].edges.items():
                if edge.to is not None and edge.to != key and edge.to in halts:
                    found.setdefault(mark, []).append(halts[edge.to] - worth)
        return {mark: sum(gains) / len(gains) for mark, gains in found.items()}

    def plan(self, longest: int) -> Plan | None:
        """Return the way to an end that should earn most, by what is known of each action.

        The best score at each cell after so many steps, step by step; of equal ones the shortest.
        Every episode ends after `longest` steps. None where no end is known.
        """
        self.new_edges = 0
        layers: list[dict[str, tuple[float, str, Edge | None]]] = [{self.root: (0.0, "", None)}]
        ahead: dict[str, tuple[float, str, Edge | None]]
        best: tuple[float, int, str, Edge] | None = None
        work = 0
        while layers[-1] and len(layers) <= longest and work < MOST_WORK:
            here, ahead = layers[-1], {}
            for key, (score, _, _) in here.items():
                for edge in self.places[key].edges.values():
                    work += 1
                    total = self.add(score, edge.reward)
                    if edge.to is None or len(layers) == longest:
                        if best is None or total > best[0] + 1e-12:
                            best = (total, len(layers) - 1, key, edge)
                    elif total > ahead.get(edge.to, (-math.inf,))[0]:
                        ahead[edge.to] = (total, key, edge)
            layers.append(ahead)
        if best is None:
            return None
        total, depth, key, last = best
        actions, cells = [last.action], [key]
        for layer in reversed(layers[1 : depth + 1]):
            _, before, taken = layer[cells[-1]]
            assert taken is not None
            actions.append(taken.action)
            cells.append(before)
        return Plan(tuple(reversed(actions)), tuple(reversed(cells)), total)
