"""The few facts of a report that place an environment among others.

A ranking needs no more than these, so they are also what the tracking store is searched by:
a table of many environments is drawn without opening a single report.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reports.advice import next_step
from reports.model import Measure, Report, VerdictStatus

PER_HOUR = "signal_groups_per_hour"
"""Name of the signal per cost among what was timed, and in a row."""

ORDER: dict[VerdictStatus, int] = {"pass": 0, "warn": 1, "fail": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The best probe of one rung of the ladder."""

    rung: str
    probe: str
    score: Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One environment as one row of a ranking."""

    name: str
    url: str
    fingerprint: str
    verdict: VerdictStatus
    reason: str
    """First reason of the verdict."""
    advice: str
    """What to do next, in one line."""
    headline: dict[str, Measure]
    sessions_served: int
    sessions_refused_at: int | None
    group_size: int
    episodes: int
    steps: int
    seconds: float
    failed: int
    """Checks that failed or broke."""
    open: int
    """Checks that were skipped."""
    validated_at: str
    """ISO 8601, UTC."""
    policy: str
    tool_version: str
    ladder: tuple[Step, ...] = ()
    """Weakest rung first; the attackers stand beside the ladder and not in it."""

    @property
    def target(self) -> tuple[str, str]:
        """Return what makes two runs runs of one environment: its address and its name."""
        return (self.url, self.name)

    @property
    def serves_group(self) -> bool | None:
        """Return whether a whole group could play at once, None where it was not tried."""
        if self.sessions_served >= self.group_size:
            return True
        return None if self.sessions_refused_at is None else False


def standing(report: Report) -> Standing:
    """Return a report's row."""
    return Standing(
        name=report.target.name,
        url=report.target.url,
        fingerprint=report.target.fingerprint,
        verdict=report.verdict.status,
        reason=report.verdict.reasons[0] if report.verdict.reasons else "",
        advice=next_step(report).line,
        headline=_headline(report),
        sessions_served=report.target.sessions_served,
        sessions_refused_at=report.target.sessions_refused_at,
        group_size=report.settings.group_size,
        episodes=report.costs.episodes,
        steps=report.costs.steps,
        seconds=report.times.seconds,
        failed=sum(result.status in ("fail", "error") for result in report.results),
        open=sum(result.status == "skip" for result in report.results),
        validated_at=report.times.started_at,
        policy=f"{report.verdict.policy} {report.verdict.policy_version}",
        tool_version=report.tool.version,
        ladder=tuple(_ladder(report)),
    )


def _headline(report: Report) -> dict[str, Measure]:
    per_hour = report.times.measures.get(PER_HOUR)
    return dict(report.headline) | ({} if per_hour is None else {PER_HOUR: per_hour})


def _ladder(report: Report) -> Iterator[Step]:
    best: dict[str, Step] = {}
    for rung in report.ladder:
        earned = rung.mean_score.estimate
        if rung.rung == "panel" or earned is None:
            continue
        known = best.get(rung.rung)
        if known is None or known.score.estimate is None or earned > known.score.estimate:
            mean = rung.mean_score
            score = Measure(estimate=earned, low=mean.low, high=mean.high, n=mean.n)
            best[rung.rung] = Step(rung=rung.rung, probe=rung.probe, score=score)
    yield from best.values()


def rank(standings: Iterable[Standing]) -> list[Standing]:
    """Return the rows, best first.

    First by verdict, then by what the signal is at least: the lower end of its interval, so
    that few episodes do not win by luck. No known signal comes last within its verdict.
    """
    return sorted(standings, key=_place)


def _place(row: Standing) -> tuple[int, float, float, str, str]:
    signal = row.headline.get("signal")
    estimate, low = (None, None) if signal is None else (signal.estimate, signal.low)
    return ranked_by(row.verdict, estimate, low, (row.name, row.url))


def ranked_by(
    verdict: VerdictStatus, signal: float | None, low: float | None, named: tuple[str, str]
) -> tuple[int, float, float, str, str]:
    """Return what rows are ordered by: the least comes first."""
    if signal is None:
        return (ORDER[verdict], 1.0, 0.0, *named)
    return (ORDER[verdict], -(signal if low is None else low), -signal, *named)
