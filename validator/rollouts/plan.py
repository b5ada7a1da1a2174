"""Merges equal needs into the fewest episodes, in a fixed order."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TypeAlias

from probes.base import Rung
from validator.episodes import Condition, EpisodeKey, Part
from validator.rollouts.needs import Effort, Need
from validator.rollouts.start import Start, Trajectory
from validator.targets.base import Task

FEW = 2
"""Draws on each start of a probe that is not the first one named of its rung."""
LONGEST_LANE = 8
"""Episodes that share a session where nothing asks for a fresh one."""

CALM, CROWD, CAMPAIGNS = 0, 1, 2
"""Phases of a run: lanes of the crowd are played when all others are done, all at once, and those
of campaigns after them, since they may take long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Episodes that one session plays, in order, from its first to its last."""

    keys: tuple[EpisodeKey, ...]
    chained: bool = False
    """The order matters: a half-played lane is of no use and is played again."""
    phase: int = CALM

    @property
    def campaign(self) -> bool:
        """Say whether one campaign plays all of it, which goes on where a session breaks."""
        return self.phase == CAMPAIGNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run plays. Lanes are independent of one another and start in this order."""

    lanes: tuple[Lane, ...]
    options: Mapping[str, Task] = field(default_factory=dict)
    """Task by id, with the reset arguments that choose it."""
    walks: Mapping[str, Trajectory] = field(default_factory=dict)
    """Trajectories by id."""
    efforts: Mapping[str, Effort] = field(default_factory=dict)
    """What each probe that goes on over episodes may spend."""
    cut: bool = False
    """The ceiling left something out."""

    @property
    def keys(self) -> list[EpisodeKey]:
        return [key for lane in self.lanes for key in lane.keys]

    @property
    def episodes(self) -> int:
        return sum(len(lane.keys) for lane in self.lanes)


Order: TypeAlias = tuple[int, int, str, int, bool]
"""Place of an original among others: start, probe, name, repeat, script."""


@dataclass(slots=True)
class _Wanted:
    """Everything asked about one original episode."""

    priority: int
    order: Order
    replays: dict[Condition, int] = field(default_factory=dict)

    def add(self, need: Need) -> None:
        self.priority = min(self.priority, need.priority)
        if need.replays:
            asked = 1 if need.condition == "reused" else need.replays
            self.replays[need.condition] = max(self.replays.get(need.condition, 0), asked)


def plan_episodes(  # noqa: PLR0913  (needs, and what they are filled with)
    needs: Iterable[Need],
    starts: Sequence[Start],
    probes: Mapping[str, Rung],
    *,
    ceiling: float,
    played: Container[EpisodeKey] = frozenset(),
    campaigners: Container[str] = frozenset(),
    slow: Container[str] = frozenset(),
    new: Sequence[Start] = (),
) -> Plan:
    """Return the fewest episodes that serve all needs and are not `played`, at most `ceiling`.

    Where the ceiling cuts, whole lanes are left out from the end, so that what is kept covers
    the first starts completely. Probes that are `slow` play only where a need names them. The
    campaigns of probes that are `campaigners` come on top: what they spend is said by the needs.
    Those that have a new start for each episode take them from `new`.
    """
    asked = _merged(needs, starts, probes, campaigners=campaigners, slow=slow)
    wanted, walks, efforts = asked.wanted, asked.walks, asked.efforts
    ranked = sorted(
        [*_single_lanes(wanted), *_shared_lanes(wanted), *_chains(wanted)],
        key=lambda pair: (pair[1].phase, pair[0]),
    )
    kept: list[Lane] = []
    room, cut = ceiling, False
    for _, whole in ranked:
        lane = _rest(whole, played)
        if lane is None:
            continue
        if cut := len(lane.keys) > room:
            break
        kept.append(lane)
        room -= len(lane.keys)
    for name, effort in sorted(efforts.items(), key=lambda one: one[1].each):
        found = (_rest(lane, played) for lane in campaign_lanes(name, effort, starts, new))
        kept += [lane for lane in found if lane is not None]
    begin = [*starts, *(walk.start for walk in walks.values()), *(new if efforts else ())]
    return Plan(
        lanes=tuple(kept),
        options={start.task.id: start.task for start in begin},
        walks=walks,
        efforts=efforts,
        cut=cut,
    )


def asked_for(
    needs: Iterable[Need],
    starts: Sequence[Start],
    probes: Mapping[str, Rung],
    *,
    campaigners: Container[str] = frozenset(),
    slow: Container[str] = frozenset(),
) -> frozenset[EpisodeKey]:
    """Return the episodes that some needs ask for, campaigns and what opens a chain left out."""
    asked = _merged(needs, starts, probes, campaigners=campaigners, slow=slow)
    return frozenset(
        one
        for key, want in asked.wanted.items()
        for one in (
            key,
            *(
                replace(key, replay=replay, condition=condition)
                for condition, replays in want.replays.items()
                for replay in range(1, replays + 1)
            ),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Needs by the originals that they ask about."""

    wanted: Mapping[EpisodeKey, _Wanted]
    walks: Mapping[str, Trajectory]
    efforts: Mapping[str, Effort]


def _merged(
    needs: Iterable[Need],
    starts: Sequence[Start],
    probes: Mapping[str, Rung],
    *,
    campaigners: Container[str],
    slow: Container[str],
) -> _Asked:
    wanted: dict[EpisodeKey, _Wanted] = {}
    walks: dict[str, Trajectory] = {}
    efforts: dict[str, Effort] = {}
    alone = {name: rung for name, rung in probes.items() if name not in campaigners}
    quick = {name: rung for name, rung in alone.items() if name not in slow}
    for need in needs:
        if need.campaign is not None:
            spenders = [name for name, rung in probes.items() if rung == need.rung]
            efforts |= {name: need.campaign for name in spenders if name in campaigners}
            continue
        for key, order in _originals(need, starts, alone if need.probes else quick):
            wanted.setdefault(key, _Wanted(need.priority, order)).add(need)
        walks |= {walk.id: walk for walk in need.walks}
    return _Asked(wanted=wanted, walks=walks, efforts=efforts)


def campaign_lanes(
    probe: str, effort: Effort, starts: Sequence[Start], new: Sequence[Start] = ()
) -> Iterator[Lane]:
    """Yield the lanes of a probe's campaigns: one for each start, or one over all of them.

    Where `effort.each` is set, each start has a campaign of its own, as a search wants it. Else
    there is one over all starts, as a learner wants it. It learns on some of them in turn and is
    then scored on these and on those held out (at most a third of all). Beside each scored episode
    stands one of a learner that has learned nothing; which of the two is played first is drawn by
    lot, so that pay which drifts with time does not look like a gain. Where `new` starts are given,
    a last lane has a second learner meet another one in each episode.
    """
    if not effort.episodes or not starts:
        return
    if effort.each:
        for start in starts[: effort.starts]:
            keys = [_part(probe, start, "explore", number) for number in range(effort.episodes)]
            yield Lane(keys=tuple(keys), chained=True, phase=CAMPAIGNS)
        return
    held = min(effort.held_out, len(starts) // 3)
    trained = starts[: min(effort.starts, len(starts) - held)]
    held_out = starts[len(trained) : len(trained) + held]
    turns = [trained[number % len(trained)] for number in range(effort.episodes)]
    tries = range(effort.tries)
    keys = [
        *(_part(probe, start, "train", number) for number, start in enumerate(turns)),
        *(
            _part(probe, start, part, number)
            for number in tries
            for start in (*held_out, *trained)
            for part in _by_lot(start, number)
        ),
    ]
    yield Lane(keys=tuple(keys), chained=True, phase=CAMPAIGNS)
    if effort.new and new:
        turns = [new[number % len(new)] for number in range(effort.new)]
        keys = [_part(probe, start, "new", number) for number, start in enumerate(turns)]
        yield Lane(keys=tuple(keys), chained=True, phase=CAMPAIGNS)


def _by_lot(start: Start, number: int) -> tuple[Part, Part]:
    """Return which of the two episodes is played first: drawn from a hash of their place."""
    lot = blake2b(f"{start.task.id}/{start.seed}/{number}".encode(), digest_size=1).digest()[0]
    return ("after", "control") if lot & 1 else ("control", "after")


def _part(probe: str, start: Start, part: Part, number: int) -> EpisodeKey:
    return EpisodeKey(
        task=start.task.id, seed=start.seed, probe=probe, repeat=number, campaign=part
    )


Ranked: TypeAlias = tuple[tuple[int, int, int, str, int, bool], Lane]


def _rest(lane: Lane, played: Container[EpisodeKey]) -> Lane | None:
    """Return what is left of a lane, None where nothing is.

    A chain that was played in part is played again from its start. At a later look the episode that
    opens a chain may have another name: that alone is no reason to play the chain again.
    """
    opened = lane.chained and not lane.campaign
    missing = tuple(key for key in lane.keys if key not in played)
    if not missing or (opened and not set(missing) - {lane.keys[0]}):
        return None
    return lane if lane.chained else replace(lane, keys=missing)


def _originals(
    need: Need, starts: Sequence[Start], probes: Mapping[str, Rung]
) -> Iterator[tuple[EpisodeKey, Order]]:
    names = _players(need, probes)
    for index, start in enumerate(starts[: need.starts]):
        for place, name in enumerate(names):
            most = _repeats(need, index, first=place == 0)
            for repeat in range(most):
                key = EpisodeKey(
                    task=start.task.id,
                    seed=start.seed,
                    probe=name,
                    repeat=repeat,
                    scripted=need.scripted,
                )
                yield key, (index, place, name, repeat, need.scripted)
    for index, walk in enumerate(need.walks):
        key = EpisodeKey(
            task=walk.start.task.id,
            seed=walk.start.seed,
            probe="trajectory",
            repeat=0,
            walk=walk.id,
        )
        yield key, (index, len(names), walk.id, 0, False)


def _repeats(need: Need, index: int, *, first: bool) -> int:
    """Return the draws of a probe on one of the starts of a need."""
    if need.deep is None:
        return need.repeats if first else min(need.repeats, FEW)
    if first:
        return need.repeats if index < need.deep else 1
    return int(index < need.wide)


def _players(need: Need, probes: Mapping[str, Rung]) -> list[str]:
    """Return the probes that a need is for, in the order in which the run names them.

    Replays and scripts ask something of the environment, not of the probe: only the first one
    plays them.
    """
    names = [name for name, rung in probes.items() if rung == need.rung]
    if need.probes:
        return [name for name in names if name in need.probes]
    return names[:1] if need.scripted or need.replays else names


def _single_lanes(wanted: Mapping[EpisodeKey, _Wanted]) -> Iterator[Ranked]:
    """Yield originals that are replayed, and their replays: each alone on a session.

    What is walked is alone, too: it proves something of one episode, not of its session. A long
    play needs no original beside it.
    """
    for key, want in wanted.items():
        if not (want.replays or key.walk):
            continue
        keys = [] if want.replays.keys() == {"long"} else [key]
        for condition, replays in want.replays.items():
            if condition != "reused":
                keys += [
                    replace(key, replay=replay, condition=condition)
                    for replay in range(1, replays + 1)
                ]
        for place, one in enumerate(keys):
            phase = CROWD if one.condition == "loaded" else CALM
            rank = (want.priority, want.order[0], place, *want.order[2:])
            yield rank, Lane(keys=(one,), phase=phase)


def _shared_lanes(wanted: Mapping[EpisodeKey, _Wanted]) -> Iterator[Ranked]:
    """Yield the other originals: those of one start and probe share sessions."""
    groups: dict[tuple[int, int, str], list[tuple[EpisodeKey, _Wanted]]] = {}
    for key, want in wanted.items():
        if not (want.replays or key.walk):
            place = (want.priority, want.order[0], key.probe)
            groups.setdefault(place, []).append((key, want))
    for members in groups.values():
        members.sort(key=lambda member: member[1].order)
        for begin in range(0, len(members), LONGEST_LANE):
            part = members[begin : begin + LONGEST_LANE]
            want = part[0][1]
            lane = Lane(keys=tuple(key for key, _ in part))
            yield (want.priority, want.order[0], 0, *want.order[2:]), lane


def _chains(wanted: Mapping[EpisodeKey, _Wanted]) -> Iterator[Ranked]:
    """Yield, per probe and draw, one session that plays every start after another one.

    The chain opens with a fresh replay of its last start, so that each replay marked `reused`
    has an episode of another start before it, where there is more than one start.
    """
    groups: dict[tuple[str, int, bool, bool], list[tuple[EpisodeKey, _Wanted]]] = {}
    for key, want in wanted.items():
        if "reused" in want.replays:
            place = (key.probe, key.repeat, key.scripted, bool(key.walk))
            groups.setdefault(place, []).append((key, want))
    for members in groups.values():
        members.sort(key=lambda member: member[1].order)
        last, last_want = members[-1]
        opener = replace(last, replay=last_want.replays.get("fresh", 0) + 1)
        keys = [opener, *(replace(key, replay=1, condition="reused") for key, _ in members)]
        want = members[0][1]
        lane = Lane(keys=tuple(keys), chained=True)
        yield (want.priority, last_want.order[0], 0, *want.order[2:]), lane
