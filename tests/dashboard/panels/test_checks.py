"""Checks in the order in which a reader must see them, with their evidence."""

import pytest

from dashboard.panels.checks import MOST_FINDINGS, MOST_UNFOLDED, checks, tally
from dashboard.panels.run import made
from dashboard.panels.verdict import verdict
from dashboard.signs import ORDER, sign_of
from reports.markup import element
from reports.model import CheckResult, Finding, Severity, Status
from reports.standing import standing
from tests.dashboard.panels.test_ranking import said
from tests.reports.builders import check, share, worth_training
from tests.reports.test_markup import Seen


@pytest.mark.parametrize(
    ("status", "severity", "question", "mark", "word"),
    [
        ("fail", "fail", False, "✕", "fails"),
        ("fail", "warn", False, "!", "warns"),
        ("fail", "advisory", False, "i", "advice"),
        ("fail", "fail", True, "?", "open question"),
        ("error", "fail", False, "↯", "check broke"),
        ("skip", "fail", False, "○", "not decided"),
        ("pass", "fail", False, "✓", "passes"),
    ],
)
def test_each_answer_has_a_sign_and_a_word_of_its_own(
    status: Status, severity: Severity, question: bool, mark: str, word: str
) -> None:
    sign = sign_of(check("a.b", status, severity, question=question))
    assert (sign.mark, sign.word) == (mark, word)
    assert sign in ORDER


def answers() -> list[CheckResult]:
    return [
        check("a.passes"),
        check("a.skips", "skip", reason="too few", needed="a larger --budget"),
        check("a.warns", "fail", "warn", reason="slow"),
        check("a.breaks", "error", reason="ValueError"),
        check("a.fails", "fail", reason="pays nothing"),
    ]


def test_what_needs_a_reader_comes_first_and_is_open() -> None:
    seen = Seen(checks(answers()))
    text = said(checks(answers()))
    order = ["a.fails", "a.breaks", "a.warns", "a.skips", "a.passes"]
    assert sorted(order, key=text.index) == order
    opened = ["open" in attrs for tag, attrs in seen.tags if tag == "details"]
    assert opened == [True, True, False, False, False]
    assert "Do To decide it: a larger --budget." in text
    assert said(tally(answers())) == (
        "✕ fails 1 ↯ check broke 1 ! warns 1 ○ not decided 1 ✓ passes 1"
    )


def test_evidence_has_its_six_parts_and_what_was_measured() -> None:
    finding = Finding(claim="C", saw="S", expected="E", where="W", reproduce="R\nR2", do="D")
    result = check(
        "a.fails", "fail", findings=[finding], measured={"live_groups": share(0.5, 0.4, 0.6)}
    )
    text = said(checks([result]))
    assert "C saw S expected E where W do D reproduce R R2" in text
    assert "live groups 0.50 [0.40, 0.60], n = 40 episodes Wilson score" in text
    assert "Severity under this policy: blocking" in text


def test_many_findings_are_counted_and_not_all_shown() -> None:
    finding = Finding(claim="C", saw="", expected="", where="", reproduce="", do="")
    text = said(checks([check("a.fails", "fail", findings=[finding] * (MOST_FINDINGS + 3))]))
    assert text.count(" C") == MOST_FINDINGS
    assert "3 findings more in the report." in text


def test_many_reasons_are_counted_and_not_all_shown() -> None:
    text = said(verdict(standing(worth_training()), [f"reason {n}" for n in range(15)]))
    assert "reason 11" in text
    assert "reason 12" not in text
    assert "and 3 more, below" in text


def test_many_passed_checks_lie_folded_together_below_the_others() -> None:
    passed = [check(f"a.p{chr(97 + n)}") for n in range(MOST_UNFOLDED + 1)]
    page = Seen(checks([*passed, check("a.skipped", "skip")]))
    folds = [attributes for tag, attributes in page.tags if tag == "details"]
    assert [fold["class"] for fold in folds[:2]] == ["ea-check ea-edge-open", "ea-passed"]
    assert "open" not in folds[1]
    assert "9 checks passed" in said(checks(passed))
    few = Seen(checks(passed[:-1]))
    assert not [a for tag, a in few.tags if a.get("class") == "ea-passed"]


def test_the_declarations_are_shown_as_they_were_read() -> None:
    report = worth_training().model_copy(update={"manifest": {"envassay": {"note": "<b>\x1b"}}})
    html = made(report)
    assert element("b") not in html
    assert '"note": "<b>\\u001b"' in said(html)
    assert "manifest none" in said(made(worth_training()))
