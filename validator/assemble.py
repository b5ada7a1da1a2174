"""Puts results, ledger and costs into the account of a run, which a policy makes a report of."""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from metrics.bootstrap import mean_score
from metrics.latency import quantile
from metrics.results import Undefined
from metrics.signal import signal_groups_per_cost
from probes.base import Probe
from reports.model import (
    Account,
    CheckResult,
    Learning,
    Measure,
    Rung,
    Target,
    TaskRow,
    Times,
    Tool,
)
from reports.model import Settings as Told
from reports.spending import Ledger, Spending
from validator.concurrency import contention, load_points
from validator.costs import costs, paid
from validator.evidence import Evidence
from validator.figures import figures
from validator.headline import headline, signal, signal_probe
from validator.installed import Installed
from validator.ladder import graded, learned, mean, witnesses
from validator.measures import mean_measure, measure
from validator.settings import Settings
from validator.shown import shown
from validator.table import Row, scores_of, start_of

RUNG_ORDER = (
    "null", "blind", "reactive", "search", "learner", "model", "harness", "oracle", "panel",
)  # fmt: skip

SECONDS_PER_HOUR = 3600


def assemble(
    evidence: Evidence,
    settings: Settings,
    installed: Installed,
    results: Sequence[CheckResult],
    spending: Spending,
    started: float,
) -> Account:
    """Return the account of one run; `started` is the wall clock when it began."""
    return Account(
        tool=Tool(version=version("envassay")),
        run=settings.folder.name,
        target=_target(evidence),
        manifest=settings.manifest.declared,
        settings=_told(settings, evidence),
        headline=headline(evidence),
        results=list(results),
        ladder=[
            _rung(evidence, probe, installed.sources[probe.name])
            for probe in sorted(
                installed.probes.values(), key=lambda one: (RUNG_ORDER.index(one.rung), one.name)
            )
        ],
        tasks=list(_task_rows(evidence)),
        shown=shown(evidence.now),
        ledger=_ledger(evidence),
        spending=spending,
        costs=costs(evidence, installed),
        times=_times(evidence, installed, started),
        figures=figures(evidence),
        reuse=evidence.reuse,
    )


def _target(evidence: Evidence) -> Target:
    about = evidence.about
    return Target(
        url=about.url,
        kind="url",
        driver=about.driver,
        name=about.name,
        description=about.description,
        version=about.version,
        fingerprint=about.fingerprint,
        parts=about.parts,
        tools=None if about.tools is None else [tool.name for tool in about.tools],
        tasks=None if about.tasks is None else dict(sorted(about.tasks.counts.items())),
        sessions_served=evidence.rollouts.most_open,
        sessions_refused_at=evidence.rollouts.refused_at,
    )


def _told(settings: Settings, evidence: Evidence) -> Told:
    block = settings.manifest.envassay
    threshold, source = evidence.success
    return Told(
        budget=settings.budget.name,
        fixed=settings.fixed,
        episodes=settings.budget.episodes,
        group_size=settings.group_size,
        seed=settings.seed,
        probes=list(settings.probes),
        policy=settings.policy.name,
        max_steps=settings.max_steps,
        score=block.score,
        success_threshold=threshold,
        success_threshold_from=source,
    )


def _rung(evidence: Evidence, probe: Probe, source: str) -> Rung:
    scored = graded(evidence, probe.name)
    proofs = witnesses(evidence, probe.name)
    rows = scored if proofs else evidence.table.originals([probe.name]) or scored
    scores = scores_of(scored)
    steps = mean_score([row.steps for row in rows])
    threshold, _ = evidence.success
    rate = (
        Undefined(reason="no score is known to be a success", n=len(scored))
        if threshold is None
        else evidence.success_share(scored, threshold)
    )
    return Rung(
        probe=probe.name,
        version=probe.version,
        rung=probe.rung,
        source=source,
        mean_score=mean_measure(mean(evidence, scored), look=evidence.look),
        success_rate=mean_measure(rate, look=evidence.look),
        score_low=float(scores.min()) if scored else None,
        score_high=float(scores.max()) if scored else None,
        mean_steps=None if isinstance(steps, Undefined) else steps.estimate,
        witness=proofs[0].key.path if proofs else "",
        tried=sum(
            row.key.probe == probe.name and row.key.campaign == "explore"
            for row in evidence.table.campaigns
        ),
        cut=evidence.rollouts.cut.get(probe.name, 0),
        learning=_learning(evidence, probe.name),
    )


def _learning(evidence: Evidence, probe: str) -> Learning | None:
    found = learned(evidence, probe)
    if found is None:
        return None
    return Learning(
        episodes=found.episodes,
        curve=found.curve,
        slope=measure(found.slope, unit="score per 100 episodes"),
        improvement=measure(found.improvement, of="pairs"),
        gap=measure(found.gap, of="starts"),
    )


def _task_rows(evidence: Evidence) -> Iterable[TaskRow]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in evidence.table.originals():
        groups.setdefault((start_of(row.key), row.key.probe), []).append(row)
    for (task, probe), rows in groups.items():
        counts = evidence.table.counts(rows)
        scored = [row for row in rows if row.score is not None]
        scores = scores_of(scored)
        yield TaskRow(
            task=task,
            probe=probe,
            scored=counts.scored,
            absent=counts.absent,
            failed=counts.error + counts.timeout + counts.refused,
            mean_score=mean_measure(evidence.mean(scored), look=evidence.look),
            score_low=float(scores.min()) if scores.size else None,
            score_high=float(scores.max()) if scores.size else None,
        )


def _ledger(evidence: Evidence) -> Ledger:
    counts = evidence.table.counts()
    return Ledger(
        planned=evidence.rollouts.planned,
        started=counts.started,
        reused=counts.started - len(evidence.now.table.everything),
        scored=counts.scored,
        absent=counts.absent,
        error=counts.error,
        timeout=counts.timeout,
        refused=counts.refused,
        infrastructure=evidence.rollouts.infrastructure + evidence.about.waited.times,
        unplayable=dict(sorted(evidence.rollouts.unplayable.items())),
        stopped=evidence.rollouts.stopped,
    )


def _times(evidence: Evidence, installed: Installed, started: float) -> Times:
    rows = evidence.now.table.everything
    steps = [seconds for row in rows for seconds in row.step_seconds]
    opens = [row.open_seconds for row in rows if row.open_seconds is not None]
    resets = [row.reset_seconds for row in rows if row.reset_seconds is not None]
    measures = {
        f"{name}_{word}": measure(quantile(values, q), of=of, unit="seconds")
        for name, values, of in (
            ("connect", opens, "sessions"),
            ("reset", resets, "resets"),
            ("step", steps, "steps"),
        )
        for word, q in (("p50", 0.5), ("p95", 0.95))
    }
    if (waited := evidence.about.waited).times:
        measures["start_wait"] = Measure(
            estimate=waited.seconds, n=waited.times, of="answers",
            method="time until the server was up, from the first question", unit="seconds",
        )  # fmt: skip
    rollout_seconds = evidence.rollouts.seconds
    if rollout_seconds and steps:
        measures["steps_per_second"] = Measure(
            estimate=len(steps) / rollout_seconds, n=len(steps), of="steps",
            method="steps over the time of all rollouts", unit="steps per second",
        )  # fmt: skip
    if (per_hour := _signal_per_hour(evidence)) is not None:
        measures["signal_groups_per_hour"] = per_hour
    if (shared := contention(evidence)) is not None:
        measures["contention"] = shared
    return Times(
        started_at=datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
        seconds=round(time.time() - started, 3),
        rollout_seconds=round(rollout_seconds, 3),
        measures=measures,
        load=load_points(evidence),
        bytes_received=evidence.rollouts.bytes_received,
        paid=paid(installed),
    )


def _signal_per_hour(evidence: Evidence) -> Measure | None:
    """Return how many groups that teach one session plays in an hour."""
    live, probe = signal(evidence), signal_probe(evidence)
    rows = [] if probe is None else evidence.now.scored([probe])
    if isinstance(live, Undefined) or not rows:
        return None
    spent = sum(sum(row.step_seconds) + (row.reset_seconds or 0.0) for row in rows)
    found = signal_groups_per_cost(
        live,
        group_size=evidence.group_size,
        cost_per_episode=spent / len(rows) / SECONDS_PER_HOUR,
        unit="hour of one session",
    )
    return measure(found, of="starts", unit="groups per hour")
