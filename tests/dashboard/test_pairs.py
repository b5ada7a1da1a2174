"""Two runs are paired by task, and what is not in both is left out."""

import pytest

from dashboard.pairs import answers, pairs, same_environment, unscored
from reports.model import Report
from tests.reports.builders import (
    check,
    pays_for_nothing,
    rung,
    share,
    task_rows,
    undefined,
    worth_training,
)


def with_tasks(means: dict[str, list[float | None]], **changed: object) -> Report:
    return worth_training().model_copy(update={"tasks": task_rows(means), **changed})


def test_the_difference_is_over_the_tasks_of_both() -> None:
    one = with_tasks({"random": [0.0, 0.5, 0.25, None]})
    other = with_tasks({"random": [1.0, 0.5, 0.5, 1.0]})
    found = {pair.probe: pair.difference for pair in pairs(one, other)}
    assert found["random"].estimate == pytest.approx((1.0 + 0.0 + 0.25) / 3)
    assert found["random"].n == 3
    assert found["random"].low is not None
    assert found["noop"].estimate is None
    back = {pair.probe: pair.difference for pair in pairs(other, one)}
    assert back["random"].estimate == pytest.approx(-(1.0 + 0.0 + 0.25) / 3)


def test_two_environments_have_no_start_in_common_whatever_it_is_called() -> None:
    one = with_tasks({"random": [0.0, 0.5]})
    stranger = one.target.model_copy(update={"name": "shop"})
    other = with_tasks({"random": [1.0, 0.5]}, target=stranger)
    found = {pair.probe: pair.difference for pair in pairs(one, other)}
    assert found["random"].estimate is None
    assert found["random"].undefined == "two environments share no start"
    assert not same_environment(one, other)
    moved = one.target.model_copy(update={"url": "http://elsewhere"})
    assert same_environment(one, with_tasks({"random": [1.0]}, target=moved))


def test_what_was_scored_in_neither_is_named_and_not_listed() -> None:
    silent = rung("words", "blind", undefined("no episode"), undefined("no episode"))
    base = worth_training()
    both = base.model_copy(update={"ladder": [*base.ladder, silent]})
    assert unscored(both, both) == ["words"]
    assert unscored(both, base) == []
    assert [pair.probe for pair in pairs(both, both)] == [rung.probe for rung in base.ladder]


def test_no_difference_is_a_zero_and_not_undefined() -> None:
    same = with_tasks({"random": [0.5, 0.25]})
    found = {pair.probe: pair.difference for pair in pairs(same, same)}
    assert found["random"].estimate == 0.0


def test_probes_of_other_versions_are_not_compared() -> None:
    changed = rung("random", "blind", share(0.3, 0.2, 0.4), share(0.3, 0.2, 0.4))
    other = worth_training().model_copy(
        update={"ladder": [changed.model_copy(update={"version": "2"})]}
    )
    assert list(pairs(worth_training(), other)) == []


def test_changed_answers_come_first_and_missing_ones_are_no_answers() -> None:
    other = worth_training().model_copy(
        update={"results": [*pays_for_nothing().results, check("wire.delivery", "skip")]}
    )
    found = answers(worth_training(), other)
    changed = [answer.id for answer in found if not answer.same]
    assert changed == [
        "runtime.seed_control", "runtime.episode_determinism", "semantic.floor_gap",
        "statistical.training_signal", "session.capacity", "wire.delivery",
    ]  # fmt: skip
    assert found[0].other is None
    assert [answer.id for answer in found if answer.same] == ["runtime.startup"]
