"""A baseline: what changed for sure is named, what chance may bring is not."""

import numpy as np
import pytest

from reports.model import LoadPoint, Measure, Report, TaskRow
from tests.reports.builders import check, quantile, share, task_rows, worth_training
from validator.policy.judge import judge
from validator.policy.model import Policy
from validator.policy.regression import compare
from validator.policy.rules import Comparison

ASKED = {"runtime.startup": "fail", "drift.latency": "warn", "session.capacity": "advisory"}
POLICY = Policy.model_validate({"name": "p", "version": "1", "severities": ASKED})


def lines(now: Report, then: Report) -> dict[str, tuple[str, str]]:
    """Return status and reason of every comparison that did not come out well."""
    return {
        rule.name: (rule.status, rule.reason)
        for rule in compare(now, then, Comparison())
        if rule.status != "pass"
    }


def noisy(seed: int, shift: float = 0.0, determinism: float = 0.4) -> Report:
    """Return a report of an environment whose scores have noise, on 24 starts."""
    rng = np.random.default_rng(seed)
    rows: list[TaskRow] = task_rows(
        {
            probe: list(np.clip(rng.normal(0.5 + shift, 0.1, 24), 0, 1))
            for probe in ("random", "noop")
        }
    )
    report = worth_training()
    headline = report.headline | {"determinism": share(determinism, 0.2, 0.6, 40)}
    return report.model_copy(update={"tasks": rows, "headline": headline})


def test_an_equal_report_is_no_worse() -> None:
    assert lines(worth_training(), worth_training()) == {}


def test_noise_is_no_regression_at_the_level_promised() -> None:
    alarms = sum("scores" in lines(noisy(seed), noisy(seed + 1000)) for seed in range(200))
    assert alarms <= 4


@pytest.mark.parametrize(("shift", "way"), [(0.15, "easier"), (-0.15, "harder")])
def test_a_shift_beyond_the_noise_is_named(shift: float, way: str) -> None:
    found = lines(noisy(1, shift), noisy(2))
    assert found["scores"][0] == "fail"
    assert found["scores"][1].startswith(way)


def test_where_all_repeats_agree_one_other_score_is_a_change() -> None:
    then = worth_training()
    rows = [
        row.model_copy(update={"mean_score": share(0.2, 0.1, 0.3, 8)})
        if (row.probe, row.task) == ("random", "- seed 0")
        else row
        for row in then.tasks
    ]
    now = then.model_copy(update={"tasks": rows})
    status, reason = lines(now, then)["scores"]
    assert status == "fail"
    assert "easier for blind probes: 1 of 3 starts" in reason
    assert "- seed 0, random: 0.1 then, 0.2 now" in reason


def test_a_probe_that_learns_on_the_way_needs_more_than_one_other_score() -> None:
    then = worth_training()
    ladder = [one.model_copy(update={"rung": "panel"}) for one in then.ladder]
    then = then.model_copy(update={"ladder": ladder})
    rows = [
        row.model_copy(update={"mean_score": share(0.2, 0.1, 0.3, 8)})
        if (row.probe, row.task) == ("random", "- seed 0")
        else row
        for row in then.tasks
    ]
    assert lines(then.model_copy(update={"tasks": rows}), then) == {}


def test_runs_that_were_told_otherwise_are_not_compared() -> None:
    then = worth_training()
    other = then.settings.model_copy(update={"seed": 1})
    now = then.model_copy(update={"settings": other})
    assert lines(now, then)["scores"] == ("skip", "the runs were told another seed: 0 then, 1 now")


def test_fewer_repeats_agree() -> None:
    then, now = noisy(1, determinism=1.0), noisy(1, determinism=0.6)
    assert lines(now, then)["determinism"] == (
        "fail",
        "40 of 40 replays agreed then, 24 of 40 now",
    )
    assert "determinism" not in lines(then, now)


def test_more_episodes_are_lost() -> None:
    then = worth_training()
    ledger = then.ledger.model_copy(update={"scored": 220, "error": 19})
    now = then.model_copy(update={"ledger": ledger})
    assert lines(now, then)["failures"][0] == "fail"
    assert "failures" not in lines(then, now)


def test_less_signal() -> None:
    then = worth_training()
    now = then.model_copy(update={"headline": then.headline | {"signal": share(0.2, 0.1, 0.4)}})
    assert lines(now, then)["signal"] == ("fail", "0.62 [0.48, 0.74] then, 0.20 [0.10, 0.40] now")
    assert "signal" not in lines(then, now)


def timed(median: Measure, connect: Measure | None = None) -> Report:
    report = worth_training()
    connect = connect or report.times.measures["connect_p50"]
    measures = report.times.measures | {"step_p50": median, "connect_p50": connect}
    times = report.times.model_copy(update={"measures": measures, "load": []})
    return report.model_copy(update={"times": times})


def test_slower_is_twice_as_long_for_sure() -> None:
    assert lines(timed(quantile(0.05)), timed(quantile(0.01)))["latency"][0] == "fail"
    assert "latency" not in lines(timed(quantile(0.02)), timed(quantile(0.01)))
    assert "latency" not in lines(timed(quantile(0.0009)), timed(quantile(0.0001)))


def test_a_busy_machine_is_not_a_slower_environment() -> None:
    then = timed(quantile(0.01), quantile(0.004))
    assert "latency" not in lines(timed(quantile(0.05), quantile(0.012)), then)
    assert lines(timed(quantile(0.05), quantile(0.006)), then)["latency"][0] == "fail"


@pytest.mark.parametrize(
    ("now", "then", "connect", "why"),
    [
        (0.021, 0.01, 0.004, ": not surely twice as long"),
        (0.0009, 0.0001, 0.004, ": so short that 2.0 ms more are the machine's"),
        (0.05, 0.01, 0.012, ": connecting takes 3 times as long as well, so the machine may be"),
        (0.012, 0.01, 0.004, "n = 400 now"),
    ],
)
def test_why_steps_that_took_longer_are_not_called_slower(
    now: float, then: float, connect: float, why: str
) -> None:
    one, other = timed(quantile(then), quantile(0.004)), timed(quantile(now), quantile(connect))
    [line] = [rule for rule in compare(other, one, Comparison()) if rule.name == "latency"]
    assert line.status == "pass"
    assert why in line.reason
    assert (": " in line.reason) == why.startswith(": ")


def test_a_baseline_of_another_environment_is_called_so() -> None:
    now = worth_training()
    named = {"name": "snake", "fingerprint": "other"}
    then = now.model_copy(update={"target": now.target.model_copy(update=named)})
    [line] = [rule for rule in compare(now, then, Comparison()) if rule.name == "version"]
    assert line.reason.startswith("the baseline is of 'snake', this is 'maze': ")


def paced(report: Report, *medians: float) -> Report:
    load = [
        LoadPoint(
            sessions=2**at,
            steps_per_second=quantile(1 / median),
            step_p50=quantile(median),
            step_p95=quantile(median),
        )
        for at, median in enumerate(medians)
    ]
    return report.model_copy(update={"times": report.times.model_copy(update={"load": load})})


def test_slower_shows_where_only_time_is_looked_at_too() -> None:
    then, now = timed(quantile(0.01)), timed(quantile(0.05))
    before = paced(then, 0.001, 0.003, 0.009)
    assert "latency" not in lines(paced(now, 0.004, 0.003, 0.01), before)
    assert lines(paced(now, 0.001, 0.013, 0.05), before)["latency"][0] == "fail"
    assert lines(paced(now), before)["latency"][0] == "fail"


@pytest.mark.parametrize(
    ("version", "status"), [("1.0.0", "fail"), ("1.1.0", "pass")], ids=["silent", "named"]
)
def test_a_silent_change_of_a_version(version: str, status: str) -> None:
    then = worth_training()
    target = then.target.model_copy(
        update={"version": version, "fingerprint": "sha256:0", "parts": {"schema": "x"}}
    )
    now = then.model_copy(update={"target": target})
    [line] = [rule for rule in compare(now, then, Comparison()) if rule.name == "version"]
    assert line.status == status
    assert line.reason.startswith("schema changed")


@pytest.mark.parametrize(
    ("part", "version", "expected"),
    [
        ("first", "1.0.0", "2 of 4 starts show something else, seed 0 among them"),
        ("script", "1.0.0", "the same actions are answered otherwise on 2 of 4 starts"),
        ("first", "1.1.0", None),
    ],
)
def test_what_starts_show_is_compared(part: str, version: str, expected: str | None) -> None:
    then = worth_training()
    shown = [
        one.model_copy(update={part: "another"}) if at < 2 else one
        for at, one in enumerate(then.shown)
    ]
    target = then.target.model_copy(update={"version": version})
    now = then.model_copy(update={"shown": shown, "target": target})
    found = lines(now, then)
    assert list(found) == ([] if expected is None else ["shown"])
    assert expected is None or found["shown"][1].startswith(expected)
    older = then.model_copy(update={"shown": []})
    assert lines(now, older)["shown"][0] == "skip"


def test_findings_are_new_fixed_open_or_as_they_were() -> None:
    then = worth_training().model_copy(
        update={
            "results": [
                check("runtime.startup", "pass"),
                check("drift.latency", "pass", "warn"),
                check("session.capacity", "fail", "advisory"),
            ]
        }
    )
    now = then.model_copy(
        update={
            "results": [
                check("runtime.startup", "fail", reason="it fell"),
                check("drift.latency", "skip", "warn", reason="too few"),
                check("session.capacity", "pass", "advisory", reason="8"),
            ]
        }
    )
    judged = judge(now, POLICY, baseline=then)
    found = {rule.name: (rule.status, rule.reason) for rule in judged.verdict.rules}
    assert found["runtime.startup"] == ("fail", "new: it fell")
    assert found["session.capacity"] == ("pass", "fixed: 8")
    assert found["drift.latency"][0] == "skip"
    assert found["findings"] == ("pass", "0 answers are as they were")
    assert judged.verdict.status == "fail"


def test_what_a_machine_may_bring_weighs_as_slower_does() -> None:
    then = worth_training().model_copy(update={"results": [check("drift.latency", "pass", "warn")]})
    now = then.model_copy(update={"results": [check("drift.latency", "fail", "warn")]})
    [line] = [rule for rule in compare(now, then, Comparison()) if rule.name == "drift.latency"]
    assert line.severity == "warn"
