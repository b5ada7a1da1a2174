"""What changed between two reports is told apart: new, fixed, unsettled, moved, told otherwise."""

import pytest

from reports.compare import Changes, Moved, changes
from reports.model import CheckResult, Measure, Report
from tests.reports.builders import check, share, undefined, worth_training


def answered(*results: CheckResult) -> Report:
    return worth_training().model_copy(update={"results": list(results)})


def ids(found: tuple[CheckResult, ...]) -> list[str]:
    return [result.id for result in found]


def test_the_same_report_twice_has_no_changes() -> None:
    found = changes(worth_training(), worth_training())
    assert found.nothing
    assert found == Changes(
        new=(), fixed=(), unsettled=(), settled=(), moved=(), environment=(), told=()
    )


def test_each_way_an_answer_changes_has_its_place() -> None:
    then = answered(
        check("a.passed", "pass"), check("a.failed", "fail"), check("a.decided", "pass"),
        check("a.skipped", "skip"), check("a.asked", "fail", question=True), check("a.bad", "fail"),
    )  # fmt: skip
    now = answered(
        check("a.passed", "error"), check("a.failed", "pass"), check("a.decided", "skip"),
        check("a.skipped", "pass"), check("a.asked", "fail"), check("a.bad", "fail"),
        check("a.first", "fail"),
    )  # fmt: skip
    found = changes(then, now)
    assert ids(found.new) == ["a.passed", "a.asked", "a.first"]
    assert ids(found.fixed) == ["a.failed"]
    assert ids(found.unsettled) == ["a.decided"]
    assert ids(found.settled) == ["a.skipped"]


def test_a_question_is_no_failure_that_was_fixed() -> None:
    found = changes(
        answered(check("a.asked", "fail", question=True)), answered(check("a.asked", "pass"))
    )
    assert (found.new, found.fixed) == ((), ())


@pytest.mark.parametrize(
    ("then", "now", "surely"),
    [
        (share(0.2, 0.1, 0.3), share(0.5, 0.4, 0.6), True),
        (share(0.2, 0.1, 0.3), share(0.35, 0.29, 0.6), False),
        (Measure(estimate=1.0, method="declared"), Measure(estimate=2.0, method="declared"), True),
        (share(0.5, 0.4, 0.6), Measure(estimate=0.55), False),
    ],
)
def test_a_number_moved_surely_where_intervals_lie_apart(
    then: Measure, now: Measure, surely: bool
) -> None:
    assert Moved(name="signal", then=then, now=now).surely is surely
    assert Moved(name="signal", then=now, now=then).surely is surely


def test_numbers_that_are_sure_come_first_and_undefined_ones_are_none() -> None:
    then = worth_training()
    later = {
        "signal": share(0.6, 0.46, 0.72),
        "floor": share(0.5, 0.4, 0.6),
        "ceiling": undefined("nothing was scored"),
        "determinism": then.headline["determinism"],
    }
    found = changes(then, then.model_copy(update={"headline": later}))
    assert [(one.name, one.surely) for one in found.moved] == [("floor", True), ("signal", False)]


def test_what_the_environment_says_of_itself_is_told_part_by_part() -> None:
    then = worth_training()
    parts = {"schema": "a", "tools": "b", "tasks": "c"}
    old = then.target.model_copy(update={"parts": parts, "version": "1.0"})
    new = old.model_copy(
        update={"parts": parts | {"tools": "x"}, "fingerprint": "sha256:new", "version": ""}
    )
    found = changes(
        then.model_copy(update={"target": old}), then.model_copy(update={"target": new})
    )
    assert found.environment == ("version 1.0 → not told", "another tools")
    bare = then.target.model_copy(update={"fingerprint": "sha256:new"})
    found = changes(then, then.model_copy(update={"target": bare}))
    assert found.environment == ("another schema, tools or tasks",)


def test_what_the_run_was_told_otherwise_is_named() -> None:
    then = worth_training()
    now = then.model_copy(
        update={
            "settings": then.settings.model_copy(update={"budget": "deep", "group_size": 16}),
            "tool": then.tool.model_copy(update={"version": "9.9.9"}),
            "manifest": {"envassay": {"horizon": 3}},
            "ladder": then.ladder[:1],
        }
    )
    found = changes(then, now)
    assert f"envassay {then.tool.version} → 9.9.9" in found.told
    assert f"budget {then.settings.budget} → deep" in found.told
    assert "group size 8 → 16" in found.told
    assert "without constant 1, greedy 1, random 1" in found.told
    assert "with constant 1, greedy 1, random 1" in changes(now, then).told
    assert "declarations as they were → others" in found.told
    assert not found.nothing
