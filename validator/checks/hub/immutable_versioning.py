"""Is what a version does still what it did?"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, ClassVar

from reports.model import Finding, TaskRow
from validator.baseline import Baseline
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.base import Drill
from validator.drills.baseline_visit import BaselineVisit
from validator.evidence import Evidence
from validator.revisits import Change, first_change, telling_of
from validator.rollouts.needs import Need, Scale
from validator.table import scores_of, start_of

Fact = Mapping[str, Any]
BETWEEN = "between two visits"
ASK = {
    "schema": "ask the server for /schema",
    "metadata": "ask the server for /metadata",
    "tools": "list its tools",
    "tasks": "ask the task routes for the number of tasks",
    "read tasks": "ask the task routes for the first tasks of each split",
}


class ImmutableVersioning:
    """RFC 008 #43: one version string, one environment, from visit to visit.

    Held against an earlier report: what the server says of itself; episodes that repeated then,
    where the run kept them; and the scores of equal starts and probes, where both runs were told
    the same.
    """

    id: ClassVar[str] = "hub.immutable_versioning"
    title: ClassVar[str] = "Is what a version does still what it did?"
    drills: ClassVar[tuple[type[Drill], ...]] = (BaselineVisit,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return ()

    def decide(self, evidence: Evidence) -> CheckResult:
        baseline = evidence.baseline
        if baseline is None:
            return skipped(
                self,
                "no earlier report is named",
                needed="`--baseline REPORT`: report.json of an earlier run, or its folder",
            )
        then, now = baseline.report.target.version, evidence.about.version
        if then != now:
            return passed(self, f"the version is another: {then!r:.60} then, {now!r:.60} now")
        change = first_change(baseline, evidence.about)
        if change is not None:
            return self._failed(_described(change, now), f"its {change.part} has changed", now)
        return self._by_behaviour(evidence, baseline, now)

    def _by_behaviour(self, evidence: Evidence, baseline: Baseline, named: str) -> CheckResult:
        if evidence.manifest.envassay.stochastic not in (None, False):
            return passed(
                self, "it says of itself what it said; repeats differ, as declared (`stochastic`)"
            )
        record = evidence.drills.get(BaselineVisit.name)
        played: Sequence[Fact] = record.facts.get("episodes", ()) if record else ()  # type: ignore[assignment]
        telling = [] if evidence.unrepeatable else telling_of(played)
        differing = [one for one in telling if one["difference"]]
        if differing:
            what = f"{len(differing)} of {len(telling)} episodes go otherwise now"
            return self._failed(_replayed(baseline, differing[0], named), what, named)
        why = _incomparable(evidence, baseline)
        pairs = [] if why else _pairs(evidence, baseline)
        changed = [(row, scores) for row, scores in pairs if _rescores(row, scores)]
        if changed:
            what = f"{len(changed)} of {len(pairs)} starts and probes score otherwise now"
            return self._failed(_rescored(baseline, *changed[0], named), what, named)
        if not telling and not pairs:
            why = why or "no start was scored by the same probe on both visits"
            return skipped(
                self,
                f"it says of itself what it said; what it does cannot be compared: {why}",
                needed="`--baseline` with the folder of a run whose episodes repeat",
            )
        parts = [f"{len(telling)} of {len(telling)} episodes of then go the same now"] * bool(
            telling
        )
        parts += [f"{len(pairs)} of {len(pairs)} starts and probes score the same"] * bool(pairs)
        measured: Measured = {
            "episodes_compared": (float(len(telling)), "episodes"),
            "starts_compared": (float(len(pairs)), "starts of each probe"),
        }
        return passed(self, f"it says what it said, and {' and '.join(parts)}", measured=measured)

    def _failed(self, finding: Finding, what: str, named: str) -> CheckResult:
        unnamed = not named
        of = "no version is named" if unnamed else f"the version is still {named!r:.60}"
        return failed(self, f"{of}, and {what}", findings=[finding], question=unnamed)


def _incomparable(evidence: Evidence, baseline: Baseline) -> str:
    """Return why scores of the two runs need not be equal; nothing where they must."""
    theirs = baseline.report
    record = evidence.drills.get(BaselineVisit.name)
    steps = record.facts.get("max_steps") if record else None
    then = (theirs.settings.seed, theirs.settings.group_size, theirs.settings.max_steps)
    if then != (evidence.seed, evidence.group_size, steps):
        return "the runs were told other seeds, groups or steps"
    if theirs.manifest != evidence.manifest.declared:
        return "the declarations are others"
    if theirs.tool.version != version("envassay"):
        return "another version of envassay made the report"
    repeats = theirs.headline.get("determinism")
    if repeats is None or repeats.estimate != 1.0 or evidence.unrepeatable:
        return "episodes do not repeat"
    return "" if theirs.tasks else "the report has no scores"


def _pairs(evidence: Evidence, baseline: Baseline) -> list[tuple[TaskRow, list[float]]]:
    """Return the starts and probes of then, each with the scores of now, where all are there.

    Only of probes that act alike whatever they cost: no search, no learner, no model.
    """
    steady = evidence.probes("null", "blind", "reactive")
    rows = [
        row
        for row in baseline.report.tasks
        if row.scored and not row.failed and row.probe in steady
    ]
    pairs = [(row, _scores(evidence, row)) for row in rows]
    return [(row, scores) for row, scores in pairs if len(scores) == row.scored]


def _rescores(row: TaskRow, scores: Sequence[float]) -> bool:
    return (row.score_low, row.score_high) != (min(scores), max(scores))


def _scores(evidence: Evidence, row: TaskRow) -> list[float]:
    """Return the scores of now of a start and probe, where all of its episodes have one."""
    rows = [one for one in evidence.table.originals([row.probe]) if start_of(one.key) == row.task]
    found = scores_of(rows).tolist()
    return found if len(found) == len(rows) else []


def _described(change: Change, named: str) -> Finding:
    difference = change.difference
    saw = (
        f"{difference.a} then, {difference.b} now" if difference else "another hash of it than then"
    )
    place = f", {difference.path}" if difference else ""
    return _finding(
        f"the {change.part} changed {BETWEEN} of one version",
        saw,
        f"{change.part}{place}, version {named!r:.60}",
        ASK.get(change.part, "ask the server for its schema, metadata, tools and tasks"),
    )


def _replayed(baseline: Baseline, one: Fact, named: str) -> Finding:
    difference = one["difference"]
    return _finding(
        f"an episode has another {difference['channel']} {BETWEEN} of one version",
        f"{difference['a']} then, as often as it was repeated; {difference['b']} now, each time",
        f"episode {one['episode']} of run {baseline.report.run}, step {difference['step']}, "
        f"{difference['path']}, version {named!r:.60}",
        f"send the actions of that episode of run {baseline.report.run} again",
    )


def _rescored(baseline: Baseline, row: TaskRow, scores: Sequence[float], named: str) -> Finding:
    return _finding(
        f"the same episodes score otherwise {BETWEEN} of one version",
        f"{row.score_low:g} to {row.score_high:g} then, {min(scores):g} to {max(scores):g} now, "
        f"{row.scored} episodes each",
        f"start {row.task}, probe {row.probe}, run {baseline.report.run}, version {named!r:.60}",
        "validate with the settings of that run",
    )


def _finding(claim: str, saw: str, where: str, reproduce: str) -> Finding:
    return Finding(
        claim=claim,
        saw=saw,
        expected="the same, or another version",
        where=where,
        reproduce=reproduce,
        do="Name a new version with every change of what an agent meets: results of one version "
        "are compared with one another.",
    )
