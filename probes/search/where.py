"""From which place an episode of a search explores."""

from collections.abc import Sequence

from probes.search.archive import DUST, Archive, Place
from probes.search.memory import Memory

FRONTIER = 0.8
"""Chance of going on along the best way, where actions are numbers that need not be whole."""
ROOT = 0.2
"""Chance of the start."""
ROOT_OR_GOOD = 0.6
"""Chance of the start or of the best place at a depth drawn by lot; else a seldom visited one."""
HALTED = 0.4
"""Chance of going on from where ending the episode paid most, where ends paid differently."""
MOST_TRIED = 16
"""Numbers tried at one place before the next step is looked at."""


def place_to_explore(memory: Memory, archive: Archive) -> Place:
    """Return a place to explore from: a good one, a seldom visited one, or the start."""
    open_ = [
        place
        for place in archive.places.values()
        if not (place.choices and place.choices.exhausted) and len(place.way) < memory.terms.longest
    ]
    open_ = [place for place in open_ if _is_lively(memory, place)] or open_
    if not open_:
        return archive.places[archive.root]
    die = memory.rng.random()
    if memory.listing is not None and memory.listing.continuous and die < FRONTIER:
        return _frontier(memory, archive)
    if memory.rng.random() < HALTED and (halted := _halted(memory, open_)) is not None:
        return halted
    if die < ROOT:
        return archive.places[archive.root]
    if die < ROOT_OR_GOOD:
        depths = sorted({len(place.way) for place in open_})
        depth = depths[int(memory.rng.integers(len(depths)))]
        same = [place for place in open_ if len(place.way) == depth]
        return max(same, key=lambda place: (place.score, -place.visits))
    least = min(place.visits for place in open_)
    rare = [place for place in open_ if place.visits == least]
    return rare[int(memory.rng.integers(len(rare)))]


def _halted(memory: Memory, places: Sequence[Place]) -> Place | None:
    """Return the place where ending the episode paid most.

    Of equal ones the one with the shortest way, or the least visited. None where all ends paid the
    same: what was done counts for nothing yet.
    """
    ends = memory.halts
    if not ends or max(ends.values()) <= min(ends.values()) + DUST:
        return None
    most = max(ends.values())
    best = [one for one in places if one.key in ends and ends[one.key] >= most - DUST]
    if not best:
        return None
    if memory.rng.random() < 0.5:
        return min(best, key=lambda place: (len(place.way), place.visits))
    return min(best, key=lambda place: (place.visits, len(place.way)))


def _is_lively(memory: Memory, place: Place) -> bool:
    """Say whether anything is left to try at a place that is not known to lead nowhere."""
    choices = place.choices
    return choices is None or any(not memory.is_idle(mark) for mark in choices.left)


def _frontier(memory: Memory, archive: Archive) -> Place:
    """Return the first place on the way of best rewards where a better action may be found.

    Where actions are numbers no place is ever used up: one is left behind where an action pays
    as much as any did anywhere, or where many were tried.
    """
    place, passed = archive.places[archive.root], {archive.root}
    while place.edges:
        best = max(place.edges.values(), key=lambda edge: edge.reward)
        enough = len(place.edges) >= MOST_TRIED or best.reward >= memory.stars.most - DUST
        if not enough or best.to is None or best.to in passed:
            break
        place = archive.places[best.to]
        passed.add(place.key)
    return place
