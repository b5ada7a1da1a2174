"""What a labelled environment says of a report, and which of a suite are judged."""

import pytest

from reports.model import CheckResult, Report
from tests.reports import builders
from validator.calibration import Labelled, first_of_each, judge, totals
from validator.manifest import Manifest


def labelled(name: str, must: tuple[str, ...] = (), may: tuple[str, ...] = ()) -> Labelled:
    return Labelled(name=name, must=frozenset(must), may=frozenset(may), manifest=Manifest())


SUITE = [
    labelled("a/one", ("x.y",)),
    labelled("a/two"),
    labelled("a/three", ("x.y",)),
    labelled("b/four"),
    labelled("b/five"),
    labelled("b/six", ("x.z",)),
]


@pytest.mark.parametrize(
    ("most", "names"),
    [
        (1, ["a/one", "a/two", "b/four", "b/six"]),
        (2, ["a/one", "a/two", "a/three", "b/four", "b/five", "b/six"]),
    ],
)
def test_a_sample_has_faulty_and_healthy_ones_of_each_class(most: int, names: list[str]) -> None:
    assert [one.name for one in first_of_each(SUITE, most)] == names


def report(*results: CheckResult) -> Report:
    return builders.build("one", "fail", ["x"], headline={}, results=results, ladder=[])


@pytest.mark.parametrize(
    ("must", "results", "missed", "alarms", "questions"),
    [
        ((), [builders.check("x.y")], set(), set(), set()),
        ((), [builders.check("x.y", "fail")], set(), {"x.y"}, set()),
        ((), [builders.check("x.y", "fail", question=True)], set(), set(), {"x.y"}),
        ((), [builders.check("x.y", "error")], set(), {"x.y"}, set()),
        (("x.y",), [builders.check("x.y", "fail")], set(), set(), set()),
        # asking for it is finding it
        (("x.y",), [builders.check("x.y", "fail", question=True)], set(), set(), set()),
        (("x.y",), [builders.check("x.y", "skip")], {"x.y"}, set(), set()),
        (("x.y",), [builders.check("x.y", "error")], {"x.y"}, {"x.y"}, set()),
        (("x.y",), [], {"x.y"}, set(), set()),
    ],
)
def test_what_a_report_gets_right(
    must: tuple[str, ...],
    results: list[CheckResult],
    missed: set[str],
    alarms: set[str],
    questions: set[str],
) -> None:
    found = judge(labelled("a/one", must), report(*results), 1.0)
    assert (found.missed, found.alarms, found.questions) == (missed, alarms, questions)
    assert found.right == (not missed and not alarms)


def test_what_may_fail_is_no_alarm() -> None:
    found = judge(
        labelled("a/one", ("x.y",), ("x.z",)),
        report(builders.check("x.y", "fail"), builders.check("x.z", "fail")),
        1.0,
    )
    assert found.right


def test_totals_count_each_class_and_all() -> None:
    judged = [
        judge(labelled("a/one", ("x.y",)), report(builders.check("x.y", "fail")), 2.0),
        judge(labelled("a/two"), report(builders.check("x.y", "fail")), 4.0),
        judge(labelled("b/six", ("x.z",)), report(builders.check("x.z", "skip")), 9.0),
    ]
    rows = {row.group: row for row in totals(judged)}
    assert (rows["a"].wanted, rows["a"].found, rows["a"].healthy, rows["a"].alarms) == (1, 1, 1, 1)
    assert (rows["b"].wanted, rows["b"].found, rows["b"].median) == (1, 0, 9.0)
    assert (rows["all"].wanted, rows["all"].found, rows["all"].longest) == (2, 1, 9.0)
