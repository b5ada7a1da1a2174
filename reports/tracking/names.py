"""What things are called in MLflow, shared by both directions.

Everything a ranking needs stands in tags, parameters and metrics, so that no report has to be
opened for it. Names hold only what MLflow allows; values are cut to what it stores. What has
no estimate has no metric: zero and NaN would both be read as results.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias, get_args

from pydantic import ValidationError

from reports.model import LoadPoint, Measure, Report, VerdictStatus
from reports.safe import address, markdown, plain
from reports.standing import MOST_TAGS, TAG_CHARACTERS, Standing, Step, standing
from reports.words import outcomes

EXPERIMENT = "envassay"
REPORT_FILE = "report.json"
EPISODES = ("episodes", "episodes.jsonl")
"""Folder of the episodes, or the file that older versions wrote."""
PREFIX = "envassay."

Learning: TypeAlias = Mapping[str, Sequence[tuple[int, float]]]
"""Curves of learning probes: score by training step."""

_VALUE = 1000
"""Most characters of a tag or parameter; every MLflow server stores that many."""

_NAME = 60
_LADDER = f"{PREFIX}ladder"
_TAGS = f"{PREFIX}tags"
_FOREIGN = ("mlflow.", PREFIX)
"""Beginnings of tags that no user has given."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value of one metric."""

    name: str
    value: float
    step: int = 0


def parameters(report: Report) -> dict[str, str]:
    """Return what the run was told, and which probes played."""
    told = report.settings
    found: dict[str, object] = {
        "budget": told.budget,
        "episodes": told.episodes,
        "group_size": told.group_size,
        "seed": told.seed,
        "policy": told.policy,
        "max_steps": told.max_steps,
        "score": told.score,
        "success_threshold": told.success_threshold,
        "success_threshold_from": told.success_threshold_from,
        "probes": ", ".join(told.probes),
        **{
            f"probe.{_part(rung.probe)}": f"{rung.rung}, version {rung.version}, {rung.source}"
            for rung in report.ladder
        },
    }
    return {name: plain(value, _VALUE) for name, value in found.items() if value not in (None, "")}


def tags(report: Report) -> dict[str, str]:
    """Return what runs are searched and told apart by."""
    row = standing(report)
    headline = {
        f"{PREFIX}headline.{_part(name)}": _bounded(found).model_dump_json(exclude_defaults=True)
        for name, found in row.headline.items()
    }
    note = f"**{row.verdict}**: {markdown(row.reason)}\n\n{markdown(row.advice)}"
    found = {
        "mlflow.runName": row.name or "unnamed",
        f"{PREFIX}report_version": report.report_version,
        f"{PREFIX}tool_version": row.tool_version,
        f"{PREFIX}target.url": address(row.url),
        f"{PREFIX}target.name": row.name,
        f"{PREFIX}fingerprint": row.fingerprint,
        f"{PREFIX}verdict": row.verdict,
        f"{PREFIX}reason": row.reason,
        f"{PREFIX}advice": row.advice,
        f"{PREFIX}policy": row.policy,
        f"{PREFIX}validated_at": row.validated_at,
        f"{PREFIX}run": report.run,
    }
    kept = {name: plain(value, _VALUE) for name, value in found.items()}
    return (
        kept
        | headline
        | {_LADDER: _steps(row.ladder), _TAGS: _words(row.tags), "mlflow.note.content": note}
    )


def _words(tags: Sequence[str]) -> str:
    """Return tags as JSON; only as many of them as a tag of MLflow holds."""
    while len(text := json.dumps(tags)) > _VALUE:
        tags = tags[:-1]
    return text


def _steps(ladder: Sequence[Step]) -> str:
    """Return a ladder as short JSON; only as much of it as a tag holds."""
    rows = [[plain(step.rung, 20), plain(step.probe, 30), *_short(step.score)] for step in ladder]
    while len(text := json.dumps(rows, separators=(",", ":"))) > _VALUE:
        rows.pop()
    return text


def _short(found: Measure) -> list[float | None]:
    ends = (found.estimate, found.low, found.high)
    return [*(None if end is None else float(f"{end:.6g}") for end in ends), found.n]


def _ladder(text: str) -> Iterator[Step]:
    """Yield what a tag tells of a ladder; nothing where it was edited into something else."""
    try:
        for rung, probe, estimate, low, high, n in json.loads(text or "[]"):
            score = Measure(estimate=estimate, low=low, high=high, n=n)
            yield Step(rung=str(rung), probe=str(probe), score=score)
    except (ValueError, TypeError):
        return


def points(report: Report, learning: Learning) -> Iterator[Point]:
    """Yield every number of the report that MLflow can draw.

    The step of `ladder/...` is the place on the ladder, of `learning/...` the training step, of
    `load/...` the sessions at once; everything else stands at step 0.
    """
    for name, found in report.headline.items():
        yield from _measure(_part(name), found)
    for result in report.results:
        for name, found in result.measured.items():
            yield from _measure(f"checks/{result.id}/{_part(name)}", found)
    for place, rung in enumerate(report.ladder):
        yield from _measure("ladder/mean_score", rung.mean_score, place)
        yield from _measure("ladder/success_rate", rung.success_rate, place)
        yield from _measure(f"probes/{_part(rung.probe)}/mean_score", rung.mean_score)
        yield from _measure(f"probes/{_part(rung.probe)}/success_rate", rung.success_rate)
    for name, found in report.times.measures.items():
        yield from _measure(f"times/{_part(name)}", found)
    yield from chain.from_iterable(map(_load, report.times.load))
    for column, amount in outcomes(report.ledger).items():
        yield Point(f"ledger/{column}", amount)
    yield Point("ledger/planned", report.ledger.planned)
    yield Point("ledger/started", report.ledger.started)
    for name, value in _facts(standing(report)).items():
        yield Point(name, value)
    for probe, curve in learning.items():
        for step, score in curve:
            yield Point(f"learning/{_part(probe)}", score, step)


def standing_of(
    tags: Mapping[str, str], parameters: Mapping[str, str], metrics: Mapping[str, float]
) -> Standing | None:
    """Return the row that a run was logged with, None where it was not logged by us."""

    def tag(name: str) -> str:
        return tags.get(f"{PREFIX}{name}", "")

    verdict = _verdict(tag("verdict"))
    if verdict is None:
        return None
    refused = metrics.get("sessions/refused_at")
    return Standing(
        name=tag("target.name"),
        url=tag("target.url"),
        fingerprint=tag("fingerprint"),
        verdict=verdict,
        reason=tag("reason"),
        advice=tag("advice"),
        headline=dict(_headline(tags)),
        sessions_served=int(metrics.get("sessions/served", 0)),
        sessions_refused_at=None if refused is None else int(refused),
        group_size=int(metrics.get("sessions/group_size", 0)),
        episodes=int(metrics.get("cost/episodes", 0)),
        steps=int(metrics.get("cost/steps", 0)),
        seconds=metrics.get("cost/seconds", 0.0),
        failed=int(metrics.get("checks/failed", 0)),
        open=int(metrics.get("checks/open", 0)),
        validated_at=tag("validated_at"),
        policy=tag("policy"),
        tool_version=tag("tool_version"),
        ladder=tuple(_ladder(tags.get(_LADDER, ""))),
        tags=tuple(dict.fromkeys(_labels(tags)))[:MOST_TAGS],
    )


def _labels(tags: Mapping[str, str]) -> Iterator[str]:
    """Yield the tags that the run was logged with, then those that a user gave it in MLflow."""
    try:
        kept = json.loads(tags.get(_TAGS, "[]"))
    except ValueError:
        kept = []
    if isinstance(kept, list):
        yield from (plain(word, TAG_CHARACTERS) for word in kept if isinstance(word, str) and word)
    for name in sorted(tags):
        if not name.startswith(_FOREIGN):
            yield plain(f"{name}={tags[name]}" if tags[name] else name, TAG_CHARACTERS)


def _facts(row: Standing) -> dict[str, float]:
    facts = {
        "cost/episodes": row.episodes,
        "cost/steps": row.steps,
        "cost/seconds": row.seconds,
        "checks/failed": row.failed,
        "checks/open": row.open,
        "sessions/served": row.sessions_served,
        "sessions/refused_at": row.sessions_refused_at,
        "sessions/group_size": row.group_size,
    }
    return {name: float(value) for name, value in facts.items() if value is not None}


def _load(found: LoadPoint) -> Iterator[Point]:
    for name in ("steps_per_second", "step_p50", "step_p95"):
        yield from _measure(f"load/{name}", getattr(found, name), found.sessions)


def _measure(name: str, found: Measure, step: int = 0) -> Iterator[Point]:
    if found.estimate is None:
        return
    yield Point(name, found.estimate, step)
    for end, value in (("low", found.low), ("high", found.high)):
        if value is not None:
            yield Point(f"{name}.{end}", value, step)
    if found.n:
        yield Point(f"{name}.n", found.n, step)


def _headline(tags: Mapping[str, str]) -> Iterator[tuple[str, Measure]]:
    start = f"{PREFIX}headline."
    for name in sorted(tags):
        if name.startswith(start):
            try:
                yield name.removeprefix(start), Measure.model_validate_json(tags[name])
            except ValidationError:  # written by another version, or edited by hand
                continue


def _bounded(found: Measure) -> Measure:
    words = {"method": found.method, "of": found.of, "unit": found.unit}
    short = {name: plain(text, 100) for name, text in words.items()}
    reason = None if found.undefined is None else plain(found.undefined)
    return found.model_copy(update={**short, "undefined": reason})


def _verdict(text: str) -> VerdictStatus | None:
    known: tuple[VerdictStatus, ...] = get_args(VerdictStatus)
    return next((status for status in known if status == text), None)


def _part(text: str) -> str:
    """Return text as one part of a name: letters, digits, `_`, `-` and single dots."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text)[:_NAME] or "_"
