"""Takes from an earlier run what says nothing about now, once a sample of it came out the same.

See `docs/design/reuse.md`: which episodes, from which runs, and why no others.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from importlib.metadata import version
from typing import Any

from metrics.agreement import replay_agreement
from metrics.divergence import diverges
from metrics.results import Undefined
from metrics.volatile import VOLATILE
from probes.base import Probe
from reports.spending import Reuse as Told
from validator.client.frames import Frame, Json
from validator.episodes import EpisodeKey
from validator.events import Audience, EpisodesTaken
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.earlier import Earlier
from validator.rollouts.plan import Lane
from validator.rollouts.play import Rules
from validator.rollouts.player import Player
from validator.rollouts.record import frames_of
from validator.rollouts.store import Episodes, EpisodeStore, Stored, read_records
from validator.table import actions_of, trace_of
from validator.targets.base import Server

ANEW = 10
"""One in so many is played all the same, and held against what is stored."""
FEWEST_ANEW = 8


class Reusing:
    """A player that takes episodes from an earlier run and has another player play the rest.

    In each round it first has everything played that must be played now, and of what could be
    taken a sample: one on each start, one of each probe, one in ten. Where all of these came out
    as they are stored, the others are taken; where one did not, all are played, also those that
    earlier rounds have taken.
    """

    def __init__(
        self, player: Player, found: Earlier | None, store: EpisodeStore, why: str
    ) -> None:
        """Take from `found`; from nothing where it is None, and `why` says so."""
        self._player, self._store, self._why = player, store, why
        self._earlier = found
        self._stored: dict[EpisodeKey, Stored] = {}
        self._taken: set[EpisodeKey] = set()
        self._lanes: list[Lane] = []
        """Of what was taken, to be played after all where a later sample differs."""
        self._compared = self._differed = 0
        self._example = ""
        if found is not None:
            self._stored = {one.key: one for one in read_records(found.episodes)}
            kept = {one.key: one.record for one in read_records(store.path)} if store.kept else {}
            self._taken = {key for key, record in kept.items() if record.get("origin")}

    @classmethod
    def of(
        cls,
        player: Player,
        offered: Iterable[Earlier],
        store: EpisodeStore,
        *,
        fingerprint: str,
        probes: Mapping[str, Probe],
    ) -> "Reusing":
        """Return one that takes from the first run of this very environment, by this version."""
        why = "no finished run of this target was told the same"
        for one in offered:
            if one.report.target.fingerprint != fingerprint:
                why = "what the server says of itself has changed since"
            elif one.report.tool.version != version("envassay"):
                why = "the run before was made by another version of envassay"
            else:
                made = cls(player, one, store, "")
                made._keep_to(probes)
                return made
        return cls(player, None, store, why)

    def _keep_to(self, probes: Mapping[str, Probe]) -> None:
        """Forget what other versions of the probes have played."""
        assert self._earlier is not None
        versions = {rung.probe: rung.version for rung in self._earlier.report.ladder}
        same = {name for name, probe in probes.items() if versions.get(name) == probe.version}
        self._stored = {key: one for key, one in self._stored.items() if key.probe in same}

    async def __call__(
        self, course: Course, server: Server, store: EpisodeStore, audience: Audience
    ) -> Rollouts:
        """Play or take what is not in the store yet."""
        fit = [key for key in course.plan.keys if self._fits(key, course.rules)]
        if not fit or self.refuted():
            return await self._play(course, course.plan.lanes, server, audience)
        sample = sample_of(fit)
        held = set(fit) - sample
        now, later = _divided(course.plan.lanes, held)
        began = time.perf_counter()
        found = await self._play(course, now, server, audience)
        if found.stopped:
            return replace(found, planned=found.planned + len(held))
        self._compare([key for key in course.plan.keys if key in sample or self._is_script(key)])
        self._lanes += later
        if not self.refuted():
            self._take(held, audience)
            return replace(found, planned=found.planned + len(held))
        again = sum(len(lane.keys) for lane in self._lanes) - len(held)
        store.kept -= self._taken
        self._taken = set()
        rest = replace(course, seconds=course.seconds - (time.perf_counter() - began))
        after = await self._play(rest, self._lanes, server, audience, proven=found.most_open)
        return replace(found.and_then(after), planned=found.planned + after.planned - again)

    def refuted(self) -> bool:
        """Say whether an episode came out otherwise than it is stored."""
        return self._differed > 0

    def told(self) -> Told:
        """Return what became of it, for the report."""
        origins: dict[str, int] = {}
        for key in self._taken:
            run = self._origin(self._stored[key].record)
            origins[run] = origins.get(run, 0) + 1
        return Told(
            run=self._earlier.report.run if self._earlier else "",
            taken=len(self._taken),
            origins=dict(sorted(origins.items())),
            compared=self._compared,
            differed=self._differed,
            why=self._why or self._in_words(),
        )

    def _in_words(self) -> str:
        if self._differed:
            return (
                f"{self._differed} of {self._compared} episodes came out otherwise than they are "
                f"stored ({self._example}): it has changed, or does not repeat"
            )
        if not self._compared:
            return "it holds no episode that this run asks for and may take"
        bound = replay_agreement([True] * self._compared)
        assert not isinstance(bound, Undefined)
        return (
            f"{self._compared} episodes were played anew and came out as they are stored: fewer "
            f"than {bound.flake_bound(0.95):.0%} would differ (95 %)"
        )

    def _fits(self, key: EpisodeKey, rules: Rules) -> bool:
        """Say whether an episode may be taken: a draw that stands alone, whole, by these rules."""
        if key.replay or key.scripted or key.walk or key.campaign:
            return False
        return self._is_whole(key) and _keeps_to(self._stored[key].record, rules.cap(key))

    def _is_script(self, key: EpisodeKey) -> bool:
        """Say whether an episode is played in any case, and is stored as well."""
        return key.scripted and not key.replay and self._is_whole(key)

    def _is_whole(self, key: EpisodeKey) -> bool:
        stored = self._stored.get(key)
        return stored is not None and stored.record["ended"] != "failed"

    async def _play(
        self,
        course: Course,
        lanes: Sequence[Lane],
        server: Server,
        audience: Audience,
        *,
        proven: int = 0,
    ) -> Rollouts:
        part = replace(
            course,
            plan=replace(course.plan, lanes=tuple(lanes)),
            proven=max(course.proven, proven),
        )
        return await self._player(part, server, self._store, audience)

    def _compare(self, keys: Sequence[EpisodeKey]) -> None:
        """Hold what was played against what is stored."""
        assert self._earlier is not None
        places = {one.key: one.offset for one in read_records(self._store.path)}
        here, there = Episodes(self._store.path), Episodes(self._earlier.episodes)
        for key in keys:
            self._compared += 1
            now = here.at(places[key]).record if key in places else {}
            differs = difference_of(there.at(self._stored[key].offset).record, now)
            if differs:
                self._differed += 1
                self._example = self._example or f"{key.path}: {differs}"

    def _take(self, keys: Iterable[EpisodeKey], audience: Audience) -> None:
        """Copy stored episodes, marked as what they are."""
        assert self._earlier is not None
        there = Episodes(self._earlier.episodes)
        wanted = sorted(set(keys) - self._store.kept, key=lambda key: self._stored[key].offset)
        before = self._store.sessions
        for key in wanted:
            record = there.at(self._stored[key].offset).record
            self._store.take(record, origin=self._origin(record), after=before)
        self._taken |= set(keys)
        if wanted:
            audience.tell(EpisodesTaken(episodes=len(wanted)))

    def _origin(self, record: Mapping[str, Any]) -> str:
        """Return the name of the run that has played an episode."""
        assert self._earlier is not None
        return str(record.get("origin") or self._earlier.report.run)


def sample_of(keys: Sequence[EpisodeKey]) -> set[EpisodeKey]:
    """Return which episodes are played anew: by a lot that nothing but their names decides.

    One on each start, one of each probe, one in ten, and eight at least.
    """
    drawn = sorted(keys, key=lambda key: blake2b(key.path.encode(), digest_size=8).digest())
    starts: set[tuple[str, int | None]] = set()
    probes: set[str] = set()
    sample: set[EpisodeKey] = set()
    for key in drawn:
        start = (key.task, key.seed)
        if start not in starts or key.probe not in probes:
            sample.add(key)
        starts.add(start)
        probes.add(key.probe)
    most = max(FEWEST_ANEW, math.ceil(len(drawn) / ANEW))
    for key in drawn:
        if len(sample) >= most:
            break
        sample.add(key)
    return sample


def difference_of(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return where an episode differs from what is stored, ids and clocks aside; empty nowhere."""
    if not now or now["ended"] != then["ended"]:
        return f"it ended otherwise ({then['ended']}, now {now['ended'] if now else 'not played'})"
    if now["outcome"] != then["outcome"]:
        return "its score is another one"
    for what, read in (("done", _done), ("shown", trace_of)):
        found = diverges(read(frames_of(dict(then))), read(frames_of(dict(now))), ignore=VOLATILE)
        if found is not None:
            return f"something else was {what} at step {found.step}"
    return ""


def _done(frames: Sequence[Frame]) -> list[dict[str, Json]]:
    return [{"observation": frame} for frame in actions_of(frames)]


def _keeps_to(record: Mapping[str, Any], cap: int) -> bool:
    """Say whether an episode would have ended where it did, were it stopped after `cap` steps."""
    steps = len(record["rewards"])
    return bool(steps == cap if record["ended"] == "step_cap" else steps <= cap)


def _divided(lanes: Iterable[Lane], held: set[EpisodeKey]) -> tuple[list[Lane], list[Lane]]:
    """Return lanes without what is held back, and with that alone."""
    now: list[Lane] = []
    later: list[Lane] = []
    for lane in lanes:
        back = tuple(key for key in lane.keys if key in held)
        if not back:
            now.append(lane)
            continue
        if rest := tuple(key for key in lane.keys if key not in held):
            now.append(replace(lane, keys=rest))
        later.append(replace(lane, keys=back))
    return now, later
