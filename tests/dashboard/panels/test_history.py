"""The history says what changed from one validation to the next."""

from dashboard.panels.history import MOST_NAMED, history
from reports.compare import changes
from reports.model import Report
from reports.standing import standing
from reports.tracking.read import Row
from tests.dashboard.panels.test_ranking import said
from tests.reports.builders import check, share, times, worth_training


def row(run_id: str, report: Report) -> Row:
    return Row(run_id=run_id, standing=standing(report))


def test_a_first_run_is_the_first() -> None:
    text = said(history([row("1", worth_training())], "1", {}))
    assert "12:00 UTC (shown)" in text
    assert text.endswith("The first validation.")


def test_what_is_new_and_what_was_fixed_is_named_with_its_reason() -> None:
    then = worth_training().model_copy(
        update={"results": [check("a.ok"), check("a.bad", "fail", reason="it was bad")]}
    )
    now = then.model_copy(
        update={
            "results": [check("a.ok", "fail", reason="20 of 40 differ"), check("a.bad")],
            "headline": {"signal": share(0.1, 0.05, 0.2), "floor": share(0.06, 0.01, 0.14)},
            "target": then.target.model_copy(update={"version": "2.0"}),
            "times": times("2026-04-01T12:00:00+00:00"),
        }
    )
    text = said(history([row("2", now), row("1", then)], "1", {"2": changes(then, now)}))
    newest, oldest = text.split("1 Mar 2026")
    assert "Since the one before ( beside each other ): now ✕ fails a.ok 20 of 40 differ" in newest
    assert "fixed ✓ passes a.bad signal 0.62 [0.48, 0.74] → 0.10 [0.05, 0.20]" in newest
    assert "it was bad" not in text
    assert "floor 0.05 [0.01, 0.13] → 0.06 [0.01, 0.14] (the intervals overlap)" in newest
    assert "Environment: version" in newest
    assert "2.0" in newest
    assert "The first validation." in oldest


def test_many_changes_are_counted_and_not_all_named() -> None:
    letters = [chr(97 + n) for n in range(MOST_NAMED + 3)]
    then = worth_training().model_copy(update={"results": [check(f"a.{x}") for x in letters]})
    now = worth_training().model_copy(
        update={"results": [check(f"a.{x}", "fail") for x in letters]}
    )
    text = said(history([row("2", now), row("1", then)], "2", {"2": changes(then, now)}))
    assert "a.h" in text
    assert "a.i" not in text
    assert "now: 3 more" in text


def test_the_same_again_and_what_could_not_be_compared_are_said() -> None:
    report = worth_training()
    rows = [row("3", report), row("2", report), row("1", report)]
    text = said(history(rows, "3", {"3": changes(report, report)}))
    assert text.count("Nothing changed since the one before.") == 1
    assert text.count("Environment: says the same of itself. Checks were not compared.") == 1
