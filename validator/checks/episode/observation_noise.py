"""Do equal tasks look equal when they begin?"""

from collections.abc import Iterator
from typing import ClassVar

from metrics.divergence import Divergence, diverges
from metrics.proportions import proportion
from metrics.volatile import VOLATILE
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.client.frames import Json
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops
from validator.table import Row
from validator.totals import Later, only_totals

MOST_EPISODES = 12
"""Episodes of one start whose first observations are compared."""


class ObservationNoise:
    """Compares the first observations of all episodes of one start, ids and clocks aside.

    Only where repeats of an episode agree in reward and end: else the task itself is another,
    and that is `runtime.seed_control`. What differs only in later episodes of a session was left
    over by earlier ones; a total that counts on is a question.
    """

    id: ClassVar[str] = "episode.observation_noise"
    title: ClassVar[str] = "Do equal tasks look equal when they begin?"
    stops: ClassVar[Stops] = Fault(rate=0.4, of=("noisy_starts",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="blind", starts=scale.replayed_starts, scripted=True, replays=scale.replays),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        fresh = [pair for pair in evidence.pairs if pair.condition == "fresh"]
        if any(_otherwise(evidence.trace(p.original), evidence.trace(p.replay)) for p in fresh):
            return skipped(
                self,
                "repeats of an episode differ in what they pay or when they end: another task "
                "may look otherwise",
                needed="an environment that repeats under a seed (`runtime.seed_control`)",
            )
        starts = [rows for rows in _by_start(evidence) if len(rows) > 1]
        if not starts or not fresh:
            return skipped(self, "no start was played twice", needed="a larger --budget")
        found = [difference for rows in starts if (difference := _first(evidence, rows))]
        measured: Measured = {"noisy_starts": (proportion(len(found), len(starts)), "starts")}
        if not found:
            return passed(self, f"all {len(starts)} starts look the same again", measured=measured)
        stochastic = evidence.manifest.envassay.stochastic
        told = f"{len(found)} of {len(starts)} starts look otherwise when begun again"
        left_over = all(row.position > 0 for _, row, _ in found)
        carried = evidence.manifest.envassay.carry_over == "curriculum"
        if carried if left_over else stochastic not in (None, False):
            return passed(self, f"{told}, as declared", measured=measured)
        total = left_over and only_totals(_later(evidence, starts))
        return failed(
            self,
            told
            + (", after other episodes of their session" if left_over else "")
            + (f": {found[0][2].path} counts on" if total else ""),
            findings=[_finding(evidence, *one, left_over=left_over) for one in found[:3]],
            measured=measured,
            question=total or (stochastic is None and not left_over),
        )


def _later(evidence: Evidence, starts: list[list[Row]]) -> Iterator[Later]:
    """Yield how episodes begin that came after others, each beside a first one of its start."""
    for rows in starts:
        alone = _looks(evidence.opening(rows[0]))
        for row in rows[1:]:
            after = _looks(evidence.opening(row))
            yield Later(session=row.session, position=row.position, alone=alone, after=after)


def _by_start(evidence: Evidence) -> list[list[Row]]:
    """Return the begun episodes of each start, those of new sessions first."""
    found: dict[tuple[str, int | None], list[Row]] = {}
    for row in sorted(evidence.table.rows, key=lambda row: row.position > 0):
        if row.started and row.key.seed is not None and row.key.condition != "loaded":
            found.setdefault((row.key.task, row.key.seed), []).append(row)
    return [_both_kinds(rows) for rows in found.values()]


def _both_kinds(rows: list[Row]) -> list[Row]:
    """Return some episodes, both of new sessions and of used ones."""
    half = MOST_EPISODES // 2
    new = [row for row in rows if row.position == 0]
    return new[:half] + [row for row in rows if row.position > 0][:half] if new else []


def _first(evidence: Evidence, rows: list[Row]) -> tuple[Row, Row, Divergence] | None:
    """Return the first episode that begins otherwise than the first one, and where."""
    begin = evidence.opening(rows[0])
    for row in rows[1:]:
        difference = diverges(_looks(begin), _looks(evidence.opening(row)), ignore=VOLATILE)
        if difference is not None:
            return rows[0], row, difference
    return None


def _looks(trace: list[dict[str, Json]]) -> list[dict[str, Json]]:
    return _only(trace, "observation")


def _only(trace: list[dict[str, Json]], *channels: str) -> list[dict[str, Json]]:
    return [{name: value for name, value in step.items() if name in channels} for step in trace]


def _otherwise(one: list[dict[str, Json]], two: list[dict[str, Json]]) -> bool:
    """Say whether two traces differ in reward, end, or errors."""
    ours, theirs = (_only(trace, "reward", "done", "error") for trace in (one, two))
    return diverges(ours, theirs, ignore=VOLATILE | {"jitter"}) is not None


def _finding(
    evidence: Evidence, one: Row, two: Row, difference: Divergence, *, left_over: bool
) -> Finding:
    return Finding(
        claim="what earlier episodes of the session left stands in the first observation"
        if left_over
        else "the same task looks otherwise when it is begun again",
        saw=difference.b,
        expected=f"{difference.a}, as in episode {one.key.path}",
        where=f"episode {two.key.path}, the answer to reset, {difference.path}",
        reproduce=by_hand(evidence, two, steps=0)
        + ("; then the same once more on that session" if left_over else "; then on another one"),
        do="Build the observation from nothing but the task."
        if left_over
        else "Draw noise from the seed of reset; or declare `stochastic: true`.",
    )
