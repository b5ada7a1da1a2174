"""What of a plan is still to be played, where some of it was played before."""

from dataclasses import replace

from validator.episodes import LEARNING, EpisodeKey
from validator.rollouts.plan import Lane, Plan
from validator.rollouts.store import EpisodeStore


def _wanted(lane: Lane, store: EpisodeStore) -> tuple[EpisodeKey, ...]:
    """Return the episodes of a lane, without those that its campaign had no need of before."""
    wanted: list[EpisodeKey] = []
    learned = False
    for key in lane.keys:
        if not (learned and key.campaign in LEARNING):
            wanted.append(key)
        learned = learned or key in store.last
    return tuple(wanted)


def spared(plan: Plan, store: EpisodeStore) -> int:
    """Return how many episodes the campaigns that are over had no need of."""
    over = [
        (lane, wanted)
        for lane in plan.lanes
        if lane.campaign and store.kept.issuperset(wanted := _wanted(lane, store))
    ]
    return sum(len(lane.keys) - len(wanted) for lane, wanted in over)


def left_of(plan: Plan, store: EpisodeStore) -> list[Lane]:
    """Return what is still to play; a half-played chain is played again from its start."""
    left: list[Lane] = []
    for lane in plan.lanes:
        missing = tuple(key for key in _wanted(lane, store) if key not in store.kept)
        if missing:
            left.append(lane if lane.chained else replace(lane, keys=missing))
    return left
