"""Says what an environment does otherwise, or worse, than in an earlier report.

Scores are paired by task or seed and probe. Where every repeat agreed in both runs and they were
told the same, a score that differs is a change; elsewhere only what chance hardly brings is one,
at the level `ALPHA` over all families of probes together.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metrics.comparison import fisher_exact, paired_permutation
from metrics.multiplicity import holm
from metrics.results import Undefined
from reports.model import Account, CheckResult, Measure, Report, Rule, Severity, TaskRow
from reports.numbers import full, seconds, short
from validator.policy.baseline_line import compared
from validator.policy.rules import Comparison
from validator.policy.silent_change import shown_rule, version_rule

ALPHA = 0.005
"""Chance of a false alarm about scores that is put up with in one comparison."""
RARE = 1e-3
"""The same for each of the shares that are compared."""
SLOWER = 2.0
"""How many times as long a step must surely take before it is called slower."""
LEAST_SECONDS = 0.002
"""Less than that is the machine, not the environment."""
TIMED = ("drift.", "hub.time_to_first_work", "runtime.resource_bounds", "session.load_stability")
"""Checks that measure the machine as well: what is new of them counts as slower does."""
STEADY = ("null", "blind", "reactive")
"""Rungs whose probes act alike whatever was played before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Family:
    """Scores of the probes of one rung, each beside what the same start and probe had then."""

    rung: str
    now: tuple[float, ...]
    then: tuple[float, ...]
    where: str
    """The start and probe that differ most."""

    @property
    def shift(self) -> float:
        return float(np.mean(np.subtract(self.now, self.then)))


def compare(now: Account, then: Report, severity: Comparison) -> list[Rule]:
    """Return one line for each thing that is compared, and one for each check that answers anew.

    Args:
        now: The report that is judged, its answers as the policy weighs them.
        then: The earlier one.
        severity: How bad each kind of change is.
    """
    return [
        version_rule(now, then, severity.silent_change),
        shown_rule(now, then, severity.silent_change, told_same=not _incomparable(now, then)),
        *_scores(now, then, severity.regressions),
        _signal(now, then, severity.regressions),
        _determinism(now, then, severity.regressions),
        _failures(now, then, severity.regressions),
        _latency(now, then, severity.latency),
        *_findings(now, then, severity),
    ]


def _scores(now: Account, then: Report, severity: Severity) -> Iterator[Rule]:
    why = _incomparable(now, then)
    if why:
        yield compared(
            "scores", severity, "skip", why, "a baseline of a run that was told the same"
        )
        return
    families = list(_families(now, then))
    if not families:
        reason = "no start was scored by the same probe in both runs"
        yield compared("scores", severity, "skip", reason, "a baseline with more episodes")
        return
    exact = all(_repeats(report) for report in (now, then))
    p_values = [0.0 if exact and one.now != one.then else _p_value(one) for one in families]
    changed = [
        one
        for one, p in zip(families, holm(p_values), strict=True)
        if p <= ALPHA and one.now != one.then and (not exact or one.rung in STEADY or _rare(one))
    ]
    pairs = sum(len(one.now) for one in families)
    for one in changed:
        way = "easier" if one.shift > 0 else "harder" if one.shift < 0 else "otherwise"
        differ = sum(a != b for a, b in zip(one.now, one.then, strict=True))
        yield compared(
            "scores",
            severity,
            "fail",
            f"{way} for {one.rung} probes: {differ} of {len(one.now)} starts and probes score "
            f"otherwise, by {one.shift:+.3g} on average, most at {one.where}",
        )
    if not changed:
        how = "all repeat" if exact else f"compared at the level {ALPHA:g}"
        yield compared("scores", severity, "pass", f"{pairs} starts and probes score alike ({how})")


def _rare(one: _Family) -> bool:
    return _p_value(one) <= ALPHA


def _repeats(report: Account) -> bool:
    found = report.headline.get("determinism")
    return found is not None and found.estimate == 1.0


def _incomparable(now: Account, then: Report) -> str:
    """Return why scores of the two runs cannot be paired; nothing where they can."""
    one, other = now.settings, then.settings
    for name in ("seed", "group_size", "max_steps", "score"):
        a, b = getattr(other, name), getattr(one, name)
        if a != b:
            return f"the runs were told another {name}: {a} then, {b} now"
    if now.tool.version != then.tool.version:
        return f"envassay {then.tool.version} made the baseline, {now.tool.version} this report"
    return ""


def _families(now: Account, then: Report) -> Iterator[_Family]:
    rungs = {one.probe: one.rung for one in now.ladder}
    versions = {one.probe: one.version for one in now.ladder}
    same = {one.probe for one in then.ladder if versions.get(one.probe) == one.version}
    earlier = {(row.task, row.probe): row for row in then.tasks}
    pairs: dict[str, list[tuple[TaskRow, TaskRow]]] = {}
    for row in now.tasks:
        old = earlier.get((row.task, row.probe))
        whole = old is not None and row.scored == old.scored and row.scored > 0
        if old is not None and whole and row.probe in same:
            pairs.setdefault(rungs[row.probe], []).append((row, old))
    for rung, rows in pairs.items():
        scores = [_mean(row) for row, _ in rows]
        others = [_mean(old) for _, old in rows]
        most = max(range(len(rows)), key=lambda at: abs(scores[at] - others[at]))
        yield _Family(
            rung=rung,
            now=tuple(scores),
            then=tuple(others),
            where=f"{rows[most][0].task}, {rows[most][0].probe}: "
            f"{others[most]:.3g} then, {scores[most]:.3g} now",
        )


def _mean(row: TaskRow) -> float:
    return float(row.mean_score.estimate or 0.0)


def _p_value(one: _Family) -> float:
    found = paired_permutation(one.now, one.then, rng=np.random.default_rng(0))
    return 1.0 if isinstance(found, Undefined) else found.p_value


def _signal(now: Account, then: Report, severity: Severity) -> Rule:
    one, other = then.headline.get("signal"), now.headline.get("signal")
    if one is None or other is None or one.estimate is None or other.estimate is None:
        return compared("signal", severity, "skip", "it was not measured in both", "more episodes")
    said = f"{short(one)} then, {short(other)} now"
    if now.settings.group_size != then.settings.group_size:
        return compared("signal", severity, "skip", f"groups of another size: {said}")
    below = other.high is not None and one.low is not None and other.high < one.low
    return compared("signal", severity, "fail" if below else "pass", said)


def _determinism(now: Account, then: Report, severity: Severity) -> Rule:
    one, other = then.headline.get("determinism"), now.headline.get("determinism")
    counts = [_counted(one), _counted(other)]
    if one is None or other is None or None in counts:
        return compared("determinism", severity, "skip", "it was not measured in both", "replays")
    (agreed, n), (agree, m) = (count for count in counts if count is not None)
    found = fisher_exact(agreed, n, agree, m)
    worse = not isinstance(found, Undefined) and found.p_value <= RARE
    said = f"{agreed} of {n} replays agreed then, {agree} of {m} now"
    return compared("determinism", severity, "fail" if worse else "pass", said)


def _counted(found: Measure | None) -> tuple[int, int] | None:
    if found is None or found.estimate is None or not found.n:
        return None
    return round(found.estimate * found.n), found.n


def _failures(now: Account, then: Report, severity: Severity) -> Rule:
    lost = [
        (one.absent + one.error + one.timeout + one.refused, one.started)
        for one in (then.ledger, now.ledger)
    ]
    (before, started), (after, start) = lost
    said = f"{before} of {started} episodes were not scored then, {after} of {start} now"
    found = fisher_exact(after, start, before, started)
    worse = not isinstance(found, Undefined) and found.p_value <= RARE
    return compared("failures", severity, "fail" if worse else "pass", said)


def _latency(now: Account, then: Report, severity: Severity) -> Rule:
    one, other = then.times.measures.get("step_p50"), now.times.measures.get("step_p50")
    if one is None or other is None or other.low is None or one.high is None:
        return compared("latency", severity, "skip", "steps were not timed in both", "more steps")
    busy = _busier(now, then)
    slower = other.low > max(SLOWER * busy * one.high, busy * one.high + LEAST_SECONDS)
    said = f"half of the steps take up to {full(one)} then, {full(other)} now"
    if slower and busy > SLOWER:
        said += f"; connecting takes {busy:.2g} times as long as well"
    pace = _pace(now, then)
    if slower and pace is not None and pace < SLOWER:
        said += f"; timed by themselves, {pace:.2g} times as long: the machine was busy"
        return compared("latency", severity, "pass", said)
    if not slower and (other.estimate or 0.0) >= SLOWER * (one.estimate or 0.0):
        said += f": {_excused(one.high, other.low, busy)}"
    return compared("latency", severity, "fail" if slower else "pass", said)


def _excused(before: float, now: float, busy: float) -> str:
    """Return why steps that took twice as long by their estimates are not called slower."""
    if now <= SLOWER * before:
        return "not surely twice as long"
    if now <= before + LEAST_SECONDS:
        return f"so short that {seconds(LEAST_SECONDS)} more are the machine's"
    return f"connecting takes {busy:.2g} times as long as well, so the machine may be busy"


def _pace(now: Account, then: Report) -> float | None:
    """Return how many times as long steps take while nothing but their time is looked at.

    The median over the numbers of sessions that were timed in both runs; None where none was. It
    is taken at another time of the run, so that work beside it hardly slows both alike.
    """
    earlier = {one.sessions: one.step_p50.estimate for one in then.times.load}
    ratios = [
        point.step_p50.estimate / before
        for point in now.times.load
        if point.step_p50.estimate is not None and (before := earlier.get(point.sessions))
    ]
    return float(np.median(ratios)) if ratios else None


def _busier(now: Account, then: Report) -> float:
    """Return how many times as long a connection takes, at least 1: that is the machine."""
    one, other = (report.times.measures.get("connect_p50") for report in (then, now))
    if one is None or other is None or not one.estimate or other.estimate is None:
        return 1.0
    return max(1.0, other.estimate / one.estimate)


def _findings(now: Account, then: Report, severity: Comparison) -> Iterator[Rule]:
    """Yield what is new, fixed or no longer known, and how much is as it was."""
    earlier = {one.id: one for one in then.results}
    alike = 0
    for result in now.results:
        before = earlier.get(result.id)
        if before is None:
            continue
        change = _change(before, result)
        if change == "new":
            yield compared(
                result.id, _new_weight(result, severity), "fail", f"new: {result.reason}"
            )
        elif change == "fixed":
            yield compared(result.id, "advisory", "pass", f"fixed: {result.reason}")
        elif change == "open":
            reason = f"it was decided then ({before.status}), and is open now: {result.reason}"
            yield compared(result.id, result.severity, "skip", reason, result.needed)
        else:
            alike += 1
    yield compared("findings", "advisory", "pass", f"{alike} answers are as they were")


def _change(before: CheckResult, now: CheckResult) -> str:
    bad, was_bad = (one.status in ("fail", "error") for one in (now, before))
    if bad and not was_bad:
        return "new" if before.status == "pass" else "same"
    if was_bad and now.status == "pass":
        return "fixed"
    return "open" if before.status == "pass" and now.status == "skip" else "same"


def _new_weight(result: CheckResult, severity: Comparison) -> Severity:
    if result.question or result.severity == "advisory":
        return "advisory"
    return severity.latency if result.id.startswith(TIMED) else severity.new_findings
