"""Reports of the kinds that readers meet, built through the model and not by a run."""

from collections.abc import Mapping, Sequence

from reports.model import (
    CheckResult,
    Costs,
    Finding,
    Ledger,
    LoadPoint,
    Measure,
    Report,
    Rung,
    Settings,
    Severity,
    Shown,
    Status,
    Target,
    TaskRow,
    Times,
    Tool,
    Verdict,
    VerdictStatus,
)

HOSTILE = (
    "<img src=x onerror=alert(1)>|`|\n# [x](javascript:alert(1)) **b** $a^b$ :red[r] "
    "\x1b[2J\x1b]0;owned\x07\u202eevil\u200b @everyone #1 <script>document.title='owned'</script>"
)
"""Text that tries every output language at once."""


def share(estimate: float, low: float, high: float, n: int = 40, of: str = "episodes") -> Measure:
    """Return a share with its interval."""
    return Measure(estimate=estimate, low=low, high=high, n=n, of=of, method="Wilson score")


def undefined(reason: str, n: int = 0) -> Measure:
    """Return what the data cannot give."""
    return Measure(estimate=None, n=n, undefined=reason)


def quantile(seconds: float, n: int = 400, of: str = "steps") -> Measure:
    """Return a latency with its interval."""
    return Measure(
        estimate=seconds, low=seconds * 0.9, high=seconds * 1.2, n=n, of=of,
        method="order statistics", unit="seconds",
    )  # fmt: skip


def check(  # noqa: PLR0913 - one argument for each part of an answer
    check_id: str,
    status: Status = "pass",
    severity: Severity = "fail",
    reason: str = "40 of 40 repeated",
    *,
    needed: str = "",
    question: bool = False,
    measured: Mapping[str, Measure] | None = None,
    findings: Sequence[Finding] = (),
) -> CheckResult:
    """Return one answer."""
    return CheckResult(
        id=check_id,
        severity=severity,
        status=status,
        question=question,
        reason=reason,
        needed=needed,
        measured=dict(measured or {}),
        findings=list(findings),
    )


def rung(probe: str, kind: str, mean: Measure, rate: Measure, high: float | None = 1.0) -> Rung:
    """Return what one probe earned."""
    return Rung(
        probe=probe, version="1", rung=kind, source="envassay", mean_score=mean,
        success_rate=rate, score_low=None if high is None else 0.0, score_high=high,
        mean_steps=None if high is None else 11.5,
    )  # fmt: skip


def task_rows(means: Mapping[str, Sequence[float | None]], scored: int = 8) -> list[TaskRow]:
    """Return one row for each probe and task; None is a task on which nothing was scored."""
    return [
        TaskRow(
            task=f"- seed {number}",
            probe=probe,
            scored=0 if mean is None else scored,
            absent=scored if mean is None else 0,
            failed=0,
            mean_score=undefined("no episode was scored")
            if mean is None
            else share(mean, max(0.0, mean - 0.3), min(1.0, mean + 0.3), scored),
            score_low=None if mean is None else max(0.0, mean - 0.25),
            score_high=None if mean is None else min(1.0, mean + 0.25),
        )
        for probe, row in means.items()
        for number, mean in enumerate(row)
    ]


def times(started_at: str = "2026-03-01T12:00:00+00:00", seconds: float = 18.4) -> Times:
    """Return what differs between equal runs."""
    return Times(
        started_at=started_at,
        seconds=seconds,
        rollout_seconds=seconds * 0.8,
        measures={
            "connect_p50": quantile(0.004, 24, "sessions"),
            "connect_p95": quantile(0.011, 24, "sessions"),
            "reset_p50": quantile(0.0021, 240, "resets"),
            "reset_p95": quantile(0.0064, 240, "resets"),
            "step_p50": quantile(0.0009),
            "step_p95": quantile(0.0031),
            "steps_per_second": Measure(
                estimate=812.4, n=2760, of="steps", unit="steps per second",
                method="steps over the time of all rollouts",
            ),
        },
        load=[
            LoadPoint(
                sessions=sessions, step_p50=quantile(0.0009 * slower, 30 * sessions),
                step_p95=quantile(0.0031 * slower, 30 * sessions),
                steps_per_second=Measure(
                    estimate=910.0 * sessions / slower, low=820.0 * sessions / slower,
                    high=990.0 * sessions / slower, n=6, of="rounds", unit="steps per second",
                    method="order statistics",
                ),
            )
            for sessions, slower in ((1, 1.0), (2, 1.1), (4, 1.5), (8, 2.9))
        ],
        bytes_received=4_812_331,
    )  # fmt: skip


def build(  # noqa: PLR0913 - one argument for each part of a report
    name: str,
    status: VerdictStatus,
    reasons: Sequence[str],
    *,
    headline: Mapping[str, Measure],
    results: Sequence[CheckResult],
    ladder: Sequence[Rung],
    tasks: Sequence[TaskRow] = (),
    ledger: Ledger | None = None,
    port: int = 8000,
    served: int = 8,
    refused_at: int | None = None,
    description: str = "",
    run_times: Times | None = None,
    fingerprint: str = "",
) -> Report:
    """Return a report with the usual settings."""
    return Report(
        tool=Tool(version="0.1.0"),
        run=f"20260301-120000-{port}",
        target=Target(
            url=f"http://127.0.0.1:{port}",
            kind="url",
            driver="websocket",
            name=name,
            description=description,
            version="1.0.0",
            fingerprint=fingerprint or f"sha256:{port:064d}",
            tools=None,
            tasks=None,
            sessions_served=served,
            sessions_refused_at=refused_at,
        ),
        manifest=None,
        settings=Settings(
            budget="quick",
            episodes=240,
            group_size=8,
            seed=0,
            probes=["noop", "constant", "random"],
            policy="author",
            max_steps=200,
            score="sum",
            success_threshold=1.0,
            success_threshold_from="the greatest score seen",
        ),
        verdict=Verdict(
            status=status, exit_code=1 if status == "fail" else 0, policy="author",
            policy_version="1", reasons=list(reasons),
        ),
        headline=dict(headline),
        results=list(results),
        ladder=list(ladder),
        tasks=list(tasks),
        shown=[Shown(start=f"seed {at}", first=f"{at:016}", script="0" * 16) for at in range(4)],
        ledger=ledger
        or Ledger(
            planned=240, started=240, scored=238, absent=0, error=1, timeout=1, refused=0
        ),
        costs=Costs(episodes=240, steps=2760),
        times=run_times or times(),
    )  # fmt: skip


def worth_training() -> Report:
    """A healthy environment: stronger probes earn more and repeats agree."""
    return build(
        "maze",
        "pass",
        ["9 of 9 checks passed, none failed"],
        headline={
            "signal": share(0.62, 0.48, 0.74, 40, "tasks"),
            "floor": share(0.05, 0.01, 0.13),
            "ceiling": share(0.91, 0.79, 0.97),
            "reachability": share(0.85, 0.71, 0.93, 40, "tasks"),
            "determinism": share(1.0, 0.91, 1.0, 40, "replays"),
        },
        results=[
            check("runtime.startup", reason="ready after 0.1 s"),
            check("runtime.seed_control"),
            check("runtime.episode_determinism", severity="warn"),
            check("semantic.floor_gap", reason="0.86 above the floor"),
            check("statistical.training_signal", reason="62% of groups of 8 disagree"),
            check("session.capacity", severity="warn", reason="8 sessions at once"),
        ],
        ladder=[
            rung("noop", "null", share(0.0, 0.0, 0.09), share(0.0, 0.0, 0.09), 0.0),
            rung("constant", "null", share(0.05, 0.01, 0.13), share(0.02, 0.0, 0.1)),
            rung("random", "blind", share(0.31, 0.22, 0.42), share(0.28, 0.17, 0.43)),
            rung("greedy", "reactive", share(0.91, 0.79, 0.97), share(0.9, 0.77, 0.96)),
        ],
        tasks=task_rows(
            {
                "noop": [0.0, 0.0, 0.0, 0.0],
                "random": [0.1, 0.5, 0.25, None],
                "greedy": [1.0, 0.9, 0.75, 1.0],
            }
        ),
        description="Walk to the exit of a small maze.",
        port=8001,
    )


def pays_for_nothing() -> Report:
    """A grader that pays the empty answer, found with evidence."""
    finding = Finding(
        claim="doing nothing earns as much as trying",
        saw="mean score 0.94 over 40 episodes of noop, 0.93 of random",
        expected="random at least 0.1 above noop",
        where="episode -/seed-3/noop/0 and 39 more",
        reproduce='on a new session send {"type": "reset", "data": {"seed": 3}}; '
        '{"type": "step", "data": {"answer": ""}}',
        do="Pay nothing for an empty answer.",
    )
    return build(
        "quiz",
        "fail",
        [
            "semantic.floor_gap: doing nothing earns 0.94",
            "statistical.training_signal: 2% of groups disagree",
            "session.capacity: 1 session where a group needs 8",
        ],
        headline={
            "signal": share(0.02, 0.0, 0.13, 40, "tasks"),
            "floor": share(0.94, 0.83, 0.98),
            "ceiling": share(0.95, 0.84, 0.99),
            "reachability": share(1.0, 0.91, 1.0, 40, "tasks"),
            "determinism": share(1.0, 0.91, 1.0, 40, "replays"),
        },
        results=[
            check("runtime.startup", reason="ready after 0.1 s"),
            check(
                "semantic.floor_gap",
                "fail",
                reason="doing nothing earns 0.94",
                measured={"gap": share(-0.01, -0.09, 0.07), "floor": share(0.94, 0.83, 0.98)},
                findings=[finding],
            ),
            check("statistical.training_signal", "fail", reason="2% of groups disagree"),
            check("session.capacity", "fail", "warn", reason="1 session where a group needs 8"),
        ],
        ladder=[
            rung("noop", "null", share(0.94, 0.83, 0.98), share(0.94, 0.83, 0.98)),
            rung("random", "blind", share(0.93, 0.82, 0.97), share(0.93, 0.82, 0.97)),
        ],
        tasks=task_rows({"noop": [1.0, 1.0, 0.75], "random": [1.0, 0.75, 1.0]}),
        served=1,
        refused_at=2,
        port=8002,
    )


def left_open() -> Report:
    """Nothing fatal was found, and what could be fatal was not decided."""
    return build(
        "shop",
        "warn",
        ["runtime.seed_control: not decided: only 2 of 5 seeds were replayed"],
        headline={
            "signal": undefined("no success is known: declare success_threshold", 12),
            "floor": share(0.1, 0.02, 0.4, 12),
            "ceiling": undefined("no probe solved a task", 12),
            "determinism": undefined("no episode was replayed"),
        },
        results=[
            check(
                "runtime.seed_control",
                "skip",
                reason="only 2 of 5 seeds were replayed",
                needed="a larger --budget",
            ),
            check("semantic.verifier_determinism", "error", "warn",
                  reason="the check broke (ValueError): please report it with the run's log"),
            check(
                "episode.start_variety",
                "fail",
                "warn",
                reason="8 starts gave one and the same episode",
                question=True,
                findings=[
                    Finding(
                        claim="every start gives the same episode",
                        saw="8 starts, one episode",
                        expected="other tasks under other seeds",
                        where="episode -/seed-0/random/0 and 7 more",
                        reproduce='on a new session send {"type": "reset", "data": {"seed": 0}}',
                        do="Let the seed of reset choose the task; or declare `tasks: {count: 1}`.",
                    )
                ],
            ),
        ],
        ladder=[
            rung("noop", "null", share(0.1, 0.02, 0.4, 12), undefined("no success is known", 12)),
            rung("random", "blind", undefined("no episode was scored"),
                 undefined("no episode was scored"), None),
        ],
        ledger=Ledger(
            planned=240, started=30, scored=12, absent=6, error=4, timeout=5, refused=3,
            unplayable={"greedy": "the action schema names no options"},
            stopped="the time of the budget was used up",
        ),
        port=8003,
    )  # fmt: skip


def hostile() -> Report:
    """An environment whose every word attacks the reader's screen."""
    finding = Finding(
        claim=HOSTILE, saw=HOSTILE * 20, expected=HOSTILE, where=HOSTILE, reproduce=HOSTILE,
        do=HOSTILE,
    )  # fmt: skip
    row = TaskRow(
        task=HOSTILE, probe="random", scored=4, absent=0, failed=0,
        mean_score=share(0.5, 0.1, 0.9, 4), score_low=0.0, score_high=1.0,
    )  # fmt: skip
    return build(
        HOSTILE,
        "fail",
        [HOSTILE],
        headline={"signal": undefined(HOSTILE), "floor": share(0.5, 0.1, 0.9)},
        results=[
            check("runtime.startup", "fail", reason=HOSTILE, findings=[finding]),
            check("runtime.seed_control", "skip", reason=HOSTILE, needed=HOSTILE),
            check("runtime.state_contract", "error", reason=HOSTILE),
        ],
        ladder=[rung("random", "blind", share(0.5, 0.1, 0.9), undefined(HOSTILE))],
        tasks=[row],
        description=HOSTILE * 500,
        ledger=Ledger(
            planned=4, started=4, scored=4, absent=0, error=0, timeout=0, refused=0,
            unplayable={"greedy": HOSTILE}, stopped=HOSTILE,
        ),
        port=8004,
    )  # fmt: skip


def everything() -> list[Report]:
    """Return one report of each kind."""
    return [pays_for_nothing(), left_open(), worth_training(), hostile()]
