"""The few facts of a report that place an environment among others.

A ranking needs no more than these, so they are also what the tracking store is searched by:
a table of many environments is drawn without opening a single report.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from reports.advice import next_step
from reports.model import Measure, Report, VerdictStatus
from reports.safe import plain

VALUE = "training_value"
"""Name of what training is expected to gain, among the numbers of the headline."""

PER_HOUR = "signal_groups_per_hour"
"""Name of the signal per cost among what was timed, and in a row."""

MOST_TAGS, TAG_CHARACTERS = 12, 40

Place: TypeAlias = tuple[int, int, float, float, str, str]
"""What rows are ordered by."""

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
    tags: tuple[str, ...] = ()
    """Words that it is sorted by: those of its declarations, and what a user tags the run with."""

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
        tags=_tags(report),
    )


def _headline(report: Report) -> dict[str, Measure]:
    per_hour = report.times.measures.get(PER_HOUR)
    return dict(report.headline) | ({} if per_hour is None else {PER_HOUR: per_hour})


def _tags(report: Report) -> tuple[str, ...]:
    """Return the tags of RFC 008's block of the declarations (`validation.types.tags`)."""
    found: Any = report.manifest or {}
    for name in ("validation", "types", "tags"):
        found = found.get(name) if isinstance(found, dict) else None
    words = [word for word in found if isinstance(word, str)] if isinstance(found, list) else []
    return tuple(dict.fromkeys(plain(word, TAG_CHARACTERS) for word in words if word))[:MOST_TAGS]


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

    First by verdict, then by what training gains at least: the lower end of the interval of the
    training value, so that few episodes do not win by luck. After those come, by their signal,
    the ones whose value was not measured, and last those of which neither is known.
    """
    return sorted(standings, key=_place)


def _place(row: Standing) -> Place:
    def number(name: str, end: str) -> float | None:
        found: float | None = getattr(row.headline.get(name), end, None)
        return found

    return ranked_by(row.verdict, number, (row.name, row.url))


def ranked_by(
    verdict: VerdictStatus, number: Callable[[str, str], float | None], named: tuple[str, str]
) -> Place:
    """Return what rows are ordered by: the least comes first.

    Args:
        verdict: Of the row.
        number: Gives a number of the headline, `estimate` or `low`, None where unknown.
        named: Name and address, by which equal rows are ordered.
    """
    for place, name in enumerate((VALUE, "signal")):
        estimate, low = number(name, "estimate"), number(name, "low")
        if estimate is not None:
            return (ORDER[verdict], place, -(estimate if low is None else low), -estimate, *named)
    return (ORDER[verdict], 2, 0.0, 0.0, *named)
