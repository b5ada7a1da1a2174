"""What to do next follows from the report alone."""

import pytest

from reports.advice import is_blocking, next_step, to_do
from reports.model import Finding, Learning, Measure, Report, Rule, Rung, Severity
from tests.reports.builders import (
    check,
    everything,
    left_open,
    pays_for_nothing,
    share,
    undefined,
    worth_training,
)


def test_each_kind_of_report_has_its_move() -> None:
    moves = [next_step(report).move for report in everything()]
    assert moves == ["fix the grader", "cannot tell yet", "train", "fix first"]


def test_what_is_fatal_comes_with_its_repair_and_the_number_of_others() -> None:
    line = next_step(pays_for_nothing()).line
    assert line == "Fix the grader: Pay nothing for an empty answer. (1 more to fix)"


def test_a_check_of_ours_that_broke_is_no_fault_of_the_environment() -> None:
    advice = next_step(left_open())
    assert advice.why.startswith("semantic.verifier_determinism broke. That is our fault")


def test_what_is_waived_is_not_to_be_fixed() -> None:
    report = pays_for_nothing()
    fatal = [one for one in report.results if is_blocking(one)]
    waivers = [
        Rule(kind="waiver", name=one.id, severity="fail", status="fail", reason="by hub until May")
        for one in fatal
    ]
    verdict = report.verdict.model_copy(update={"rules": waivers[:1]})
    first = next_step(report.model_copy(update={"verdict": verdict}))
    assert first.move in ("fix the grader", "fix first")
    assert "more to fix" not in first.line, "two of them, of which one is waived"
    every = report.verdict.model_copy(update={"rules": waivers, "status": "warn"})
    assert not next_step(report.model_copy(update={"verdict": every})).move.startswith("fix")


def test_a_warning_is_care_to_take() -> None:
    care = check("session.capacity", "fail", "warn", reason="1 session")
    report = worth_training().model_copy(update={"results": [care]})
    assert next_step(report).line == "Train: with care. See why session.capacity failed: 1 session."


def test_an_open_fatal_question_is_no_pass() -> None:
    skip = check("semantic.floor_gap", "skip", reason="2 episodes", needed="--budget standard")
    report = worth_training().model_copy(update={"results": [skip]})
    assert next_step(report).line == (
        "Cannot tell yet: semantic.floor_gap is open. To decide it: --budget standard."
    )


@pytest.mark.parametrize("severity", ["warn", "advisory"])
def test_an_open_lesser_question_does_not_stand_in_the_way(severity: Severity) -> None:
    skip = check("hub.time_to_first_work", "skip", severity, reason="not timed")
    report = worth_training().model_copy(update={"results": [skip]})
    assert next_step(report).move == "train"


def test_a_question_to_the_author_is_not_fatal() -> None:
    asked = check("runtime.seed_control", "fail", question=True, reason="no seed is declared")
    report = worth_training().model_copy(update={"results": [asked]})
    assert next_step(report).move == "train"


def test_nothing_is_known_without_a_signal() -> None:
    report: Report = worth_training()
    unknown = report.model_copy(update={"headline": {"signal": undefined("no group was full")}})
    none = report.model_copy(update={"headline": {}})
    assert next_step(unknown).line == (
        "Cannot tell yet: nothing is known of the training signal (no group was full)."
    )
    assert next_step(none).move == "cannot tell yet"


@pytest.mark.parametrize(
    ("low", "high", "line"),
    [
        (0.003, 0.53, "Cannot tell yet: few groups may teach (0.12 [0.00, 0.53], n = 8 starts). "
         "To know: a larger --budget, or a more capable probe."),
        (0.01, 0.04, "Train: with care. Few groups teach (0.120 [0.010, 0.040], n = 8 starts): "
         "use larger groups, or easier tasks."),
        (0.05, 0.53, "Train: nothing that was checked speaks against it. "
         "To know what it gains: --probes default,learner."),
    ],
)  # fmt: skip
def test_a_signal_that_may_be_next_to_nothing_is_no_reason_to_train(
    low: float, high: float, line: str
) -> None:
    weak = worth_training().model_copy(
        update={"headline": {"signal": share(0.12, low, high, 8, "starts")}}
    )
    assert next_step(weak).line == line


def played(rung: str, *, rose: bool = False, reached: float = 0.0) -> Rung:
    slope = share(0.2, 0.1, 0.3) if rose else share(0.0, -0.1, 0.1)
    learning = Learning(
        episodes=300, curve=[], slope=slope, improvement=undefined("x"), gap=undefined("x")
    )
    return Rung(
        probe=rung, version="1", rung=rung, source="here", mean_score=share(reached, 0.0, 1.0),
        success_rate=share(reached, 0.0, 1.0), score_low=0.0, score_high=1.0, mean_steps=3.0,
        learning=learning if rung == "learner" else None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "signal", "floor", "reached", "move"),
    [
        ((0.6, 0.4, 0.8), (0.0, 0.0, 0.04), 0.1, 0.0, "train"),
        ((0.2, 0.01, 0.4), (0.5, 0.4, 0.6), 0.1, 0.0, "cannot tell yet"),
        ((0.0, 0.0, 0.3), (0.0, 0.0, 0.2), 0.1, 0.6, "needs a stronger model"),
        ((0.0, 0.0, 0.1), (0.0, 0.0, 0.2), 0.98, 1.0, "make it harder"),
        ((0.01, 0.0, 0.2), (0.9, 0.7, 1.0), 0.5, 0.5, "skip"),
        ((0.01, 0.0, 0.9), (0.9, 0.7, 1.0), 0.5, 0.5, "cannot tell yet"),
        ((0.0, 0.0, 0.1), (0.0, 0.0, 0.2), 0.0, 0.0, "make it easier"),
    ],
)
def test_what_training_gains_decides_where_it_was_measured(
    value, signal, floor: float, reached: float, move: str
) -> None:
    headline = {
        "training_value": share(*value),
        "signal": share(*signal),
        "floor": share(floor, 0.0, 1.0),
        "ceiling": Measure(estimate=1.0, method="declared"),
    }
    ladder = [played("search", reached=reached), played("learner")]
    report = worth_training().model_copy(update={"headline": headline, "ladder": ladder})
    assert next_step(report).move == move


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("solutions are not paid", "the declared solutions earn no more than random play"),
        ("solutions are beaten", "a learner earns more than the declared solutions"),
    ],
)
def test_solutions_that_are_not_what_is_paid_for_mean_that_the_grader_is_wrong(
    form: str, why: str
) -> None:
    value = share(0.0, 0.0, 0.0).model_copy(update={"method": f"least squares; {form}"})
    report = worth_training()
    headline = report.headline | {"training_value": value, "floor": share(0.1, 0.0, 0.2)}
    found = next_step(report.model_copy(update={"headline": headline}))
    assert found.move == "fix the grader"
    assert found.why.startswith(why)
    easy = headline | {
        "floor": share(0.99, 0.9, 1.0), "ceiling": Measure(estimate=1.0, method="declared")
    }  # fmt: skip
    saturated = next_step(report.model_copy(update={"headline": easy}))
    assert saturated.move == "make it harder", "solutions cannot earn more there"


def test_what_training_gains_is_asked_for_or_told_why_not_known() -> None:
    report = worth_training()
    measured = report.headline | {"training_value": share(0.6, 0.4, 0.8)}
    ranged = report.headline | {"training_value": undefined("no score_range is declared")}
    assert next_step(report).why.endswith("To know what it gains: --probes default,learner.")
    assert next_step(report.model_copy(update={"headline": measured})).why.endswith("against it.")
    assert next_step(report.model_copy(update={"headline": ranged})).why.endswith(
        "What it gains is not known: no score_range is declared."
    )


def test_all_that_is_had_without_looking_leaves_nothing_to_learn() -> None:
    report = worth_training()
    easy = report.headline | {
        "floor": share(0.99, 0.9, 1.0), "ceiling": Measure(estimate=1.0, method="declared")
    }  # fmt: skip
    found = next_step(report.model_copy(update={"headline": easy}))
    assert found.move == "make it harder"
    assert "0.99" in found.why


def test_each_answer_says_what_to_do_about_it() -> None:
    finding = Finding(claim="c", saw="s", expected="e", where="w", reproduce="r", do="Mend it.")
    assert to_do(check("a.b", "fail", findings=[finding])) == "Mend it."
    assert to_do(check("a.b", "skip", reason="too few", needed="more")) == "To decide it: more."
    assert to_do(check("a.b", "pass")) == ""
    assert "our fault" in to_do(check("a.b", "error"))
