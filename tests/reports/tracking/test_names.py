"""What stands in MLflow is enough for a ranking, and MLflow takes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.model import Measure, Report
from reports.standing import standing
from reports.tracking import names
from tests.reports.builders import everything, hostile, left_open, share, worth_training


def metrics(report: Report) -> dict[str, float]:
    """Return the metrics of one report, the last value of each."""
    return {point.name: point.value for point in names.points(report, {})}


@pytest.mark.parametrize("report", everything()[:3], ids=lambda report: report.target.url)
def test_a_row_comes_back_as_it_went(report: Report) -> None:
    found = names.standing_of(names.tags(report), names.parameters(report), metrics(report))
    assert found == standing(report)


def test_what_is_too_long_or_unseen_for_a_tag_is_cut_and_spelled_out() -> None:
    found = names.standing_of(names.tags(hostile()), {}, metrics(hostile()))
    assert found is not None
    assert "\x1b" not in found.name
    assert r"\x1b[2J" in found.name
    assert (found.verdict, found.url) == ("fail", "http://127.0.0.1:8004")
    assert all(len(value) < 5000 for value in names.tags(hostile()).values())


def test_a_run_of_somebody_else_is_no_row() -> None:
    assert names.standing_of({"mlflow.runName": "resnet"}, {"lr": "0.1"}, {"loss": 0.2}) is None
    assert names.standing_of({"envassay.verdict": "splendid"}, {}, {}) is None


def test_a_headline_that_was_edited_by_hand_is_left_out() -> None:
    tags = names.tags(worth_training()) | {"envassay.headline.floor": "about a half"}
    found = names.standing_of(tags, {}, metrics(worth_training()))
    assert found is not None
    assert set(found.headline) == {"signal", "ceiling", "reachability", "determinism"}


def test_what_has_no_estimate_has_no_metric_and_zero_has_one() -> None:
    found = metrics(left_open())
    assert "signal" not in found
    assert found["ledger/refused"] == 3.0
    assert metrics(worth_training())["probes/noop/mean_score"] == 0.0
    assert metrics(worth_training())["probes/noop/mean_score.high"] == 0.09
    assert metrics(worth_training())["probes/noop/mean_score.n"] == 40.0


def test_the_ladder_is_a_curve_and_so_is_learning() -> None:
    learning = {"tabular q": [(0, 0.1), (100, 0.4)]}
    found = list(names.points(worth_training(), learning))
    means = [p for p in found if p.name == "ladder/mean_score"]
    assert [(p.step, p.value) for p in means] == [(0, 0.0), (1, 0.05), (2, 0.31), (3, 0.91)]
    curve = [(p.step, p.value) for p in found if p.name == "learning/tabular_q"]
    assert curve == [(0, 0.1), (100, 0.4)]


@given(st.text(min_size=1, max_size=80))
def test_a_stranger_cannot_choose_a_name_that_mlflow_refuses(name: str) -> None:
    report = worth_training().model_copy(update={"headline": {name: share(0.5, 0.4, 0.6)}})
    last = next(iter(metrics(report)))
    assert last.isascii()
    assert not set(last) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.")
    assert "/." not in last


def test_tags_come_back_beside_those_that_a_user_gave_in_mlflow() -> None:
    manifest = {"validation": {"types": {"tags": ["grid", "text"]}}}
    report = worth_training().model_copy(update={"manifest": manifest})
    given = {"team": "walking", "reviewed": "", "mlflow.user": "eve", "grid": ""}
    found = names.standing_of(names.tags(report) | given, {}, {})
    assert found is not None
    assert found.tags == ("grid", "text", "reviewed", "team=walking")
    edited = names.tags(report) | {"envassay.tags": "{not JSON", "a": "\x1b[2J" * 100}
    broken = names.standing_of(edited, {}, {})
    assert broken is not None
    assert len(broken.tags) == 1
    assert "\x1b" not in broken.tags[0]


def test_many_long_tags_stay_within_what_a_tag_of_mlflow_holds() -> None:
    manifest = {"validation": {"types": {"tags": [f"{n}" + "\x00" * 60 for n in range(50)]}}}
    report = worth_training().model_copy(update={"manifest": manifest})
    assert len(names.tags(report)["envassay.tags"]) <= 1000


def test_secrets_of_an_address_are_not_tagged() -> None:
    target = worth_training().target.model_copy(update={"url": "https://eve:pw@host/x?token=t"})
    report = worth_training().model_copy(update={"target": target})
    assert names.tags(report)["envassay.target.url"] == "https://***@host/x?***"


def test_a_number_alone_is_no_interval() -> None:
    headline = {"floor": Measure(estimate=0.0, method="declared")}
    found = metrics(worth_training().model_copy(update={"headline": headline}))
    assert found["floor"] == 0.0
    assert not {"floor.low", "floor.high", "floor.n"} & set(found)
