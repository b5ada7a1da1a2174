"""What a check may look at: what was declared, and what was run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from metrics.bootstrap import MeanScore, mean_score
from metrics.divergence import Divergence, diverges
from metrics.inputs import SeenRange
from metrics.results import Undefined
from metrics.sequential import level_at_looks
from metrics.volatile import VOLATILE
from probes.base import Rung
from reports.spending import Reuse
from validator.baseline import Baseline
from validator.client.frames import Frame, Json
from validator.declared import Declared
from validator.drills.base import DrillRecord
from validator.episodes import Condition
from validator.manifest import Manifest
from validator.rollouts.course import Rollouts
from validator.rollouts.looks import ONLY, Look
from validator.rollouts.start import VARIANT
from validator.scoring import at_least, at_most
from validator.table import EpisodeTable, Row, actions_of, scores_of, start_of, trace_of
from validator.targets.base import About

Visit: TypeAlias = tuple[Row, ...]
"""One episode of each script, on one start."""

SCRIPTS = 3
"""Scripts of actions that a start is visited with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """An episode and an exact repetition of it."""

    original: Row
    replay: Row
    difference: Divergence | None
    """Where they first differ in anything but ids and clocks, None where they agree."""

    @property
    def condition(self) -> Condition:
        return self.replay.key.condition


@dataclass(kw_only=True, eq=False)
class Evidence:
    """All that was declared and played in one run, for checks to decide from."""

    about: About
    manifest: Manifest
    table: EpisodeTable
    rollouts: Rollouts
    rungs: Mapping[str, Rung]
    """Rung of each of the run's probes."""
    group_size: int
    seed: int
    look: Look = ONLY
    """Place in the plan up to which it was played, and at which the run may stop."""
    declared: Declared = Declared()
    """What the manifest's files say."""
    drills: Mapping[str, DrillRecord] = field(default_factory=dict)
    """Exercises by name, as far as they were carried out."""
    baseline: Baseline | None = None
    """An earlier report of the same target, where the user gives one."""
    reuse: Reuse | None = None
    """What became of the wish to take episodes from an earlier run; None where there was none."""

    @cached_property
    def now(self) -> "Evidence":
        """The same without episodes that were taken from an earlier run."""
        table = self.table.now
        return self if table is self.table else replace(self, table=table)

    def level(self, level: float = 0.95) -> float:
        """Return the level of a single interval at this look, at least `level`.

        It is such that the intervals of all looks of the run hold together at `level`.
        """
        return level_at_looks(level, self.look.of)

    def probes(self, *rungs: Rung) -> list[str]:
        """Return the names of the run's probes of some rungs."""
        return [name for name, rung in self.rungs.items() if rung in rungs]

    @property
    def score_range(self) -> tuple[float, float] | None:
        """Return the declared range of an episode's score."""
        return self.manifest.score_range

    @cached_property
    def success(self) -> tuple[float | None, str]:
        """Return the score from which an episode is a success, and who says so."""
        if self.manifest.envassay.success_threshold is not None:
            return self.manifest.envassay.success_threshold, "declared"
        if self.score_range is not None:
            return self.score_range[1], "top of the declared range"
        return None, "nothing declares one"

    @cached_property
    def score_bounds(self) -> tuple[float, float] | None:
        """Return the bounds that intervals of a mean score may rest on.

        The declared range where every score keeps to it, else the range of all scores seen,
        marked as such; None where all are equal, which bounds nothing.
        """
        scores = scores_of(self.table.originals())
        if not scores.size:
            return self.score_range
        low, high = float(scores.min()), float(scores.max())
        if self.score_range is not None:
            least, greatest = self.score_range
            if at_least(least) <= low and high <= at_most(greatest):
                return min(least, low), max(greatest, high)
        return SeenRange(low, high) if low < high else None

    def scored(self, probes: Sequence[str]) -> list[Row]:
        """Return the scored original episodes of some probes."""
        return [row for row in self.table.originals(probes) if row.score is not None]

    def mean(self, rows: Sequence[Row]) -> MeanScore | Undefined:
        """Return the mean score of some scored episodes, starts taken as clusters."""
        return mean_score(
            scores_of(rows),
            [start_of(row.key) for row in rows],
            bounds=self.score_bounds,
        )

    def success_share(self, rows: Sequence[Row], threshold: float) -> MeanScore | Undefined:
        """Return the share of some scored episodes that succeed, starts taken as clusters."""
        return mean_score(
            scores_of(rows) >= at_least(threshold),
            [start_of(row.key) for row in rows],
            bounds=(0.0, 1.0),
        )

    def trace(self, row: Row) -> list[dict[str, Json]]:
        """Return what came back in an episode, step by step to its end, from its raw frames."""
        return trace_of(self.table.frames(row))[: row.steps + 1]

    def opening(self, row: Row) -> list[dict[str, Json]]:
        """Return the first step of an episode's trace, the answer to reset; none where it has none.

        Long episodes of large observations are not read to their end for it.
        """
        return trace_of(self.table.frames(row), most=1)

    def actions(self, row: Row) -> tuple[Json, ...]:
        """Return what was done in an episode, step by step to its end."""
        return _taken(self.table.frames(row))[: row.steps]

    def reset_of(self, row: Row) -> dict[str, Json]:
        """Return the arguments of the reset that began an episode; the seed is among them."""
        for frame in actions_of(self.table.frames(row)):
            if isinstance(frame, dict) and frame["type"] == "reset":
                data = frame["data"]
                assert isinstance(data, dict)
                return data
        return {}

    @property
    def oracle(self) -> list[Row]:
        """Return the walks of the author's solutions, none repeated, no variant."""
        return [
            row
            for row in self.table.rows
            if row.key.walk.startswith("oracle/")
            and VARIANT not in row.key.walk
            and row.key.replay == 0
        ]

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every replay beside its original, where both ran to their end.

        Replays of condition `long` are left out: their originals may have been stopped sooner.
        """
        pairs = []
        for row in self.table.rows:
            original = self.table.get(row.key.original)
            if row.key == row.key.original or original is None or row.key.condition == "long":
                continue
            if "failed" in (row.ended, original.ended) or not self._same_way(original, row):
                continue
            pairs.append(
                Pair(original=original, replay=row, difference=self.compare(original, row))
            )
        return tuple(pairs)

    def _same_way(self, original: Row, replay: Row) -> bool:
        """Say whether both took the same actions: an author's function may answer differently."""
        return not original.key.walk or self.actions(original) == self.actions(replay)

    @cached_property
    def unrepeatable(self) -> bool:
        """Say whether an exact repetition on a fresh session has come out otherwise."""
        return any(p.condition == "fresh" and p.difference is not None for p in self.pairs)

    def compare(self, one: Row, other: Row) -> Divergence | None:
        """Return where two episodes first differ in what came back, ids and clocks aside.

        They are compared up to the first action that differs: a probe that repeats an id which it
        was shown acts differently each time.
        """
        return _differ(self._played(one), self._played(other))

    def _played(self, row: Row) -> "_Played":
        frames = self.table.frames(row)
        return _Played(trace=trace_of(frames)[: row.steps + 1], actions=_taken(frames)[: row.steps])

    @cached_property
    def visits(self) -> Mapping[str, list[Visit]]:
        """Complete visits of each start: the episodes of all scripts of the first blind probe.

        Each was the first episode of its session. One script alone may not reach what makes a start
        different from others; several together nearly always do.
        """
        script = next(iter(self.probes("blind")), None)
        found: dict[str, dict[int, dict[int, Row]]] = {}
        for row in self.table.rows:
            key = row.key
            if key.scripted and key.probe == script and key.condition == "fresh":
                replays = found.setdefault(f"{key.task}/{key.seed}", {})
                if row.ended != "failed":
                    replays.setdefault(key.replay, {})[key.repeat] = row
        widest = max((len(rows) for r in found.values() for rows in r.values()), default=0)
        return {
            start: [
                tuple(rows[repeat] for repeat in sorted(rows))
                for _, rows in sorted(replays.items())
                if len(rows) == widest
            ]
            for start, replays in found.items()
        }

    @cached_property
    def labels(self) -> Mapping[str, list[int]]:
        """A number for each visit, by start: visits have the same number where they are equal.

        Visits of different starts can be equal. Equal are those in which everything that came back
        is equal, ids and clocks aside.
        """
        kinds: dict[int, list[_Played]] = {}
        visits: dict[tuple[int, ...], int] = {}
        found: dict[str, list[int]] = {}
        for start, rows in self.visits.items():
            found[start] = [
                visits.setdefault(
                    tuple(
                        _label(self._played(row), kinds.setdefault(row.key.repeat, []))
                        for row in visit
                    ),
                    len(visits),
                )
                for visit in rows
            ]
        return found


def _taken(frames: Sequence[Frame]) -> tuple[Json, ...]:
    """Return the actions among the frames of an episode."""
    sent = actions_of(frames)
    steps = [frame for frame in sent if isinstance(frame, dict) and frame["type"] == "step"]
    return tuple(frame["data"] for frame in steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """What came back in an episode, and what was done."""

    trace: list[dict[str, Json]]
    actions: tuple[Json, ...]


def _differ(one: _Played, other: _Played) -> Divergence | None:
    """Return the first difference up to where other things were done."""
    steps = enumerate(zip(one.actions, other.actions, strict=False))
    parted = next((step for step, (a, b) in steps if a != b), None)
    end = None if parted is None else parted + 1
    return diverges(one.trace[:end], other.trace[:end], ignore=VOLATILE)


def _label(played: _Played, kinds: list[_Played]) -> int:
    """Return the number of the kind that an episode is of, adding it where it is a new one."""
    for number, known in enumerate(kinds):
        if _differ(known, played) is None:
            return number
    kinds.append(played)
    return len(kinds) - 1
