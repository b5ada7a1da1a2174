"""From answers to a verdict: what was not decided is never a pass."""

from itertools import product
from pathlib import Path

import pytest

from reports.model import CheckResult, Severity, Status
from validator.errors import SettingsError
from validator.policy.model import Policy, read_policy, shipped_policies
from validator.policy.verdict import reach_verdict

POLICY = Policy(name="p", version="7", severities={})


def answer(status: Status, severity: Severity, *, question: bool = False) -> CheckResult:
    return CheckResult(
        id="runtime.startup", severity=severity, status=status, question=question, reason="so"
    )


EXPECTED: dict[tuple[Status, Severity], str] = {
    ("pass", "fail"): "pass", ("pass", "warn"): "pass", ("pass", "advisory"): "pass",
    ("fail", "fail"): "fail", ("fail", "warn"): "warn", ("fail", "advisory"): "pass",
    ("skip", "fail"): "warn", ("skip", "warn"): "pass", ("skip", "advisory"): "pass",
    ("error", "fail"): "fail", ("error", "warn"): "fail", ("error", "advisory"): "fail",
}  # fmt: skip


@pytest.mark.parametrize(("case", "status"), EXPECTED.items())
def test_one_answer_makes_its_verdict(case: tuple[Status, Severity], status: str) -> None:
    found = reach_verdict([answer(*case), answer("pass", "fail")], POLICY)
    assert found.status == status
    assert found.exit_code == (1 if status == "fail" else 0)
    assert (found.policy, found.policy_version) == ("p", "7")
    assert found.reasons


def test_the_worst_answer_decides() -> None:
    order = ["pass", "warn", "fail"]
    for one, other in product(EXPECTED, repeat=2):
        found = reach_verdict([answer(*one), answer(*other)], POLICY).status
        assert order.index(found) == max(order.index(EXPECTED[one]), order.index(EXPECTED[other]))


@pytest.mark.parametrize("severity", ["fail", "warn", "advisory"])
def test_a_question_to_the_author_changes_nothing(severity: Severity) -> None:
    assert reach_verdict([answer("fail", severity, question=True)], POLICY).status == "pass"


def test_shipped_policies_are_read() -> None:
    for name in shipped_policies():
        assert read_policy(name).name == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "is no TOML"),
        ('name = "x"', "version: field required"),
        ('name = "x"\nversion = "1"\n[severities]\n"a.b" = "fatal"', "severities.a.b"),
        ('name = "x"\nversion = "1"\n[severities]\n"A b" = "fail"', "severities.A b"),
        ('name = "x"\nversion = "1"\nsevere = 1\n[severities]\n', "severe: unknown key"),
    ],
)
def test_a_malformed_policy_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        read_policy(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_policy_is_answered_with_the_nearest() -> None:
    with pytest.raises(SettingsError, match="Did you mean 'author'"):
        read_policy("autor")
