"""What to do next follows from the report alone."""

import pytest

from reports.advice import next_step, to_do
from reports.model import Finding, Report, Severity
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
    assert moves == ["fix first", "cannot tell yet", "train", "fix first"]


def test_what_is_fatal_comes_with_its_repair_and_the_number_of_others() -> None:
    line = next_step(pays_for_nothing()).line
    assert line == "Fix first: Pay nothing for an empty answer. (1 more to fix)"


def test_a_check_of_ours_that_broke_is_no_fault_of_the_environment() -> None:
    advice = next_step(left_open())
    assert advice.why.startswith("semantic.verifier_determinism broke. That is our fault")


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
        (0.05, 0.53, "Train: nothing that was checked speaks against it."),
    ],
)  # fmt: skip
def test_a_signal_that_may_be_next_to_nothing_is_no_reason_to_train(
    low: float, high: float, line: str
) -> None:
    weak = worth_training().model_copy(
        update={"headline": {"signal": share(0.12, low, high, 8, "starts")}}
    )
    assert next_step(weak).line == line


def test_each_answer_says_what_to_do_about_it() -> None:
    finding = Finding(claim="c", saw="s", expected="e", where="w", reproduce="r", do="Mend it.")
    assert to_do(check("a.b", "fail", findings=[finding])) == "Mend it."
    assert to_do(check("a.b", "skip", reason="too few", needed="more")) == "To decide it: more."
    assert to_do(check("a.b", "pass")) == ""
    assert "our fault" in to_do(check("a.b", "error"))
