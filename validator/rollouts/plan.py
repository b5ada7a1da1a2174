"""Merges equal needs into the fewest episodes, in a fixed order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from probes.base import Rung
from validator.episodes import EpisodeKey
from validator.rollouts.needs import Need
from validator.targets.base import Task

LONGEST_LANE = 8
"""Episodes that share a session where nothing asks for a fresh one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One way an episode can begin: a task and a seed."""

    task: Task
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Episodes that one session plays, in order, from its first to its last."""

    keys: tuple[EpisodeKey, ...]
    chained: bool = False
    """The order matters: a half-played lane is of no use and is played again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run plays. Lanes are independent of one another and start in this order."""

    lanes: tuple[Lane, ...]
    options: Mapping[str, Task] = field(default_factory=dict)
    """Task by id, with the reset arguments that choose it."""

    @property
    def episodes(self) -> int:
        return sum(len(lane.keys) for lane in self.lanes)


@dataclass(slots=True)
class _Wanted:
    """Everything asked about one original episode."""

    priority: int
    order: tuple[int, int, str, int, bool]
    fresh_replays: int = 0
    reused: bool = False


def plan_episodes(
    needs: Iterable[Need],
    starts: Sequence[Start],
    probes: Mapping[str, Rung],
    *,
    ceiling: int,
) -> Plan:
    """Return the fewest episodes that serve all needs, at most `ceiling`.

    Where the ceiling cuts, whole lanes are left out from the end, so that what is kept covers
    the first starts completely.
    """
    wanted: dict[EpisodeKey, _Wanted] = {}
    for need in needs:
        for key, order in _originals(need, starts, probes):
            want = wanted.setdefault(key, _Wanted(need.priority, order))
            want.priority = min(want.priority, need.priority)
            if need.condition == "reused":
                want.reused = True
            else:
                want.fresh_replays = max(want.fresh_replays, need.replays)
    lanes = sorted([*_single_lanes(wanted), *_shared_lanes(wanted), *_chains(wanted)], key=_rank)
    kept: list[Lane] = []
    room = ceiling
    for _, lane in lanes:
        if len(lane.keys) > room:
            break
        kept.append(lane)
        room -= len(lane.keys)
    return Plan(lanes=tuple(kept), options={start.task.id: start.task for start in starts})


Ranked = tuple[tuple[int, int, int, str, int, bool], Lane]


def _rank(ranked: Ranked) -> tuple[int, int, int, str, int, bool]:
    return ranked[0]


def _originals(
    need: Need, starts: Sequence[Start], probes: Mapping[str, Rung]
) -> Iterable[tuple[EpisodeKey, tuple[int, int, str, int, bool]]]:
    names = [name for name, rung in probes.items() if rung == need.rung]
    for index, start in enumerate(starts[: need.starts]):
        for place, name in enumerate(names):
            for repeat in range(need.repeats):
                key = EpisodeKey(
                    task=start.task.id,
                    seed=start.seed,
                    probe=name,
                    repeat=repeat,
                    scripted=need.scripted,
                )
                yield key, (index, place, name, repeat, need.scripted)


def _single_lanes(wanted: Mapping[EpisodeKey, _Wanted]) -> Iterable[Ranked]:
    """Yield originals that are replayed, and their fresh replays: each alone on a session."""
    for key, want in wanted.items():
        if not (want.fresh_replays or want.reused):
            continue
        for replay in range(want.fresh_replays + 1):
            lane = Lane(keys=(_replay(key, replay),))
            yield (want.priority, want.order[0], replay, *want.order[2:]), lane


def _shared_lanes(wanted: Mapping[EpisodeKey, _Wanted]) -> Iterable[Ranked]:
    """Yield the other originals: those of one start and probe share sessions."""
    groups: dict[tuple[int, int, str], list[tuple[EpisodeKey, _Wanted]]] = {}
    for key, want in wanted.items():
        if not (want.fresh_replays or want.reused):
            place = (want.priority, want.order[0], key.probe)
            groups.setdefault(place, []).append((key, want))
    for members in groups.values():
        members.sort(key=lambda member: member[1].order)
        for begin in range(0, len(members), LONGEST_LANE):
            part = members[begin : begin + LONGEST_LANE]
            want = part[0][1]
            lane = Lane(keys=tuple(key for key, _ in part))
            yield (want.priority, want.order[0], 0, *want.order[2:]), lane


def _chains(wanted: Mapping[EpisodeKey, _Wanted]) -> Iterable[Ranked]:
    """Yield, per probe and draw, one session that plays every start after another one.

    The chain opens with a fresh replay of its last start, so that each replay marked `reused`
    has an episode of another start before it, where there is more than one start.
    """
    groups: dict[tuple[str, int, bool], list[tuple[EpisodeKey, _Wanted]]] = {}
    for key, want in wanted.items():
        if want.reused:
            groups.setdefault((key.probe, key.repeat, key.scripted), []).append((key, want))
    for members in groups.values():
        members.sort(key=lambda member: member[1].order)
        last, last_want = members[-1]
        opener = _replay(last, last_want.fresh_replays + 1)
        keys = [opener, *(_replay(key, 1, reused=True) for key, _ in members)]
        want = members[0][1]
        lane = Lane(keys=tuple(keys), chained=True)
        yield (want.priority, last_want.order[0], 0, *want.order[2:]), lane


def _replay(key: EpisodeKey, replay: int, *, reused: bool = False) -> EpisodeKey:
    return EpisodeKey(
        task=key.task,
        seed=key.seed,
        probe=key.probe,
        repeat=key.repeat,
        scripted=key.scripted,
        replay=replay,
        condition="reused" if reused else "fresh",
    )
