"""An episode's rewards become one number, an absence, and never a zero that was not paid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Scored
from validator.scoring import Rule, at_least, at_most, score_rewards

PAID: list[Reward] = [Number(1), Null(), Number(2.5), Number(0)]


@pytest.mark.parametrize(("rule", "score"), [("sum", 3.5), ("last", 0.0), ("max", 2.5)])
def test_the_rule_makes_one_number(rule: Rule, score: float) -> None:
    assert score_rewards(PAID, rule=rule, terminal=False) == Scored(score)


def test_the_best_of_losses_is_a_loss() -> None:
    assert score_rewards([Null(), Number(-3)], rule="max", terminal=False) == Scored(-3.0)


@pytest.mark.parametrize("nothing", [Null(), Missing(), NotANumber("true")])
def test_an_episode_without_a_number_is_absent(nothing: Reward) -> None:
    found = score_rewards([nothing, nothing], rule="sum", terminal=False)
    assert isinstance(found, Absent)


def test_where_only_the_end_pays_an_unpaid_end_is_absent() -> None:
    assert isinstance(score_rewards([Number(1), Null()], rule="sum", terminal=True), Absent)
    assert score_rewards([Null(), Number(1)], rule="sum", terminal=True) == Scored(1.0)


def test_an_episode_without_a_step_is_absent() -> None:
    assert isinstance(score_rewards([], rule="sum", terminal=False), Absent)


@given(st.floats(-1e6, 1e6), st.integers(1, 200))
def test_the_sum_of_equal_parts_reaches_the_whole(whole: float, parts: int) -> None:
    found = score_rewards([Number(whole / parts)] * parts, rule="sum", terminal=False)
    assert isinstance(found, Scored)
    assert at_least(whole) <= found.score <= at_most(whole)


@pytest.mark.parametrize("bound", [0.0, 1.0, -1.0, 1e6])
def test_rounding_is_forgiven_and_nothing_else(bound: float) -> None:
    size = max(1.0, abs(bound))
    assert at_least(bound) <= bound - 1e-12 * size
    assert at_most(bound) >= bound + 1e-12 * size
    assert at_least(bound) > bound - 1e-6 * size
    assert at_most(bound) < bound + 1e-6 * size


def test_twenty_twentieths_are_one() -> None:
    assert score_rewards([Number(-0.05)] * 20, rule="sum", terminal=False) == Scored(-1.0)
