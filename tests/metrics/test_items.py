"""Item response theory."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from metrics import MalformedInput, Undefined, item_responses


def made_up(agents, tasks, attempts, seed=0):
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=agents)
    a, b = rng.lognormal(0, 0.4, tasks), rng.normal(0, 1, tasks)
    tries = np.full((agents, tasks), attempts)
    return ability, a, b, rng.binomial(tries, expit(a * (ability[:, None] - b))), tries


def test_parameters_are_recovered():
    ability, a, b, wins, tries = made_up(600, 12, 10)
    found = item_responses(wins, tries)
    assert found.discrimination == pytest.approx(a, rel=0.15)
    assert found.difficulty == pytest.approx(b, abs=0.15)
    assert np.corrcoef(found.ability, ability)[0, 1] > 0.95


def test_the_marginal_posterior_is_at_its_top():
    _, _, _, wins, tries = made_up(40, 5, 3, seed=1)
    found = item_responses(wins, tries)
    nodes, weights = np.polynomial.hermite_e.hermegauss(31)

    def minus_log_posterior(parameters):
        log_a, b = parameters[:5], parameters[5:]
        share = expit(np.exp(log_a) * (nodes[:, None] - b))
        likelihood = np.prod(
            share[:, None] ** wins * (1 - share[:, None]) ** (tries - wins), axis=2
        )
        marginal = np.log(weights / weights.sum() @ likelihood)
        return -marginal.sum() + np.sum(log_a**2) / 0.5 + np.sum(b**2) / 8

    best = minimize(minus_log_posterior, np.zeros(10), options={"gtol": 1e-6})
    assert np.log(found.discrimination) == pytest.approx(best.x[:5], abs=1e-3)
    assert found.difficulty == pytest.approx(best.x[5:], abs=1e-3)


def test_errors_are_the_curvature_of_the_marginal_posterior():
    _, _, _, wins, tries = made_up(40, 5, 3, seed=1)
    found = item_responses(wins, tries)
    nodes = np.linspace(-7, 7, 701)
    weights = np.exp(-(nodes**2) / 2)
    weights /= weights.sum()

    def minus_log_posterior(parameters):
        log_a, b = parameters[:5], parameters[5:]
        share = expit(np.exp(log_a) * (nodes[:, None] - b))
        likelihood = np.prod(
            share[:, None] ** wins * (1 - share[:, None]) ** (tries - wins), axis=2
        )
        return -np.log(weights @ likelihood).sum() + np.sum(log_a**2) / 0.5 + np.sum(b**2) / 8

    at = np.concatenate([np.log(found.discrimination), found.difficulty])
    step = 1e-3 * np.eye(10)
    curvature = np.array(
        [
            [
                sum(
                    sign * minus_log_posterior(at + one * i + other * j)
                    for sign, one, other in ((1, 1, 1), (-1, 1, -1), (-1, -1, 1), (1, -1, -1))
                )
                / 4e-6
                for j in step
            ]
            for i in step
        ]
    )
    expected = np.sqrt(np.diag(np.linalg.inv(curvature)))
    assert found.errors.ravel() == pytest.approx(expected, rel=1e-4)


def test_each_task_has_intervals_from_fifty_agents_on():
    _, a, b, wins, tries = made_up(600, 12, 10)
    found = item_responses(wins, tries)
    held = 0
    for task in range(12):
        for one, true in ((found.discrimination_of(task), a), (found.difficulty_of(task), b)):
            low, high = one.confidence_interval(0.95)
            assert low < one.estimate < high
            assert one.n == 600
            held += low <= true[task] <= high
    assert held >= 20
    assert (
        found.difficulty_of(0).confidence_interval(0.5)[0]
        > found.difficulty_of(0).confidence_interval(0.95)[0]
    )
    few = item_responses(wins[:49], tries[:49]).discrimination_of(0)
    assert few.confidence_interval() == (0.0, np.inf)
    assert few.method == "none: 49 agents, 50 are needed for an interval"


def test_abilities_known_to_a_tenth_do_not_fall_between_the_nodes():
    _, a, b, wins, tries = made_up(100, 20, 40, seed=3)
    found = item_responses(wins, tries)
    errors = (found.difficulty - b) / found.errors[1]
    assert np.mean(np.abs(errors) < 2.3) > 0.9


def test_tasks_that_all_or_none_solve_stay_finite():
    _, _, _, wins, tries = made_up(30, 6, 4)
    wins[:, 0], wins[:, 1] = 4, 0
    found = item_responses(wins, tries)
    assert found.difficulty[0] < -1.5
    assert found.difficulty[1] > 1.5
    assert np.isfinite(found.discrimination).all()


def test_order_of_agents_does_not_matter_where_some_tasks_were_not_tried():
    _, _, _, wins, tries = made_up(60, 8, 5)
    tries[::2, 0], wins[::2, 0] = 0, 0
    one = item_responses(wins, tries)
    order = np.argsort(np.arange(60) % 2, kind="stable")
    other = item_responses(wins[order], tries[order])
    assert one.difficulty == pytest.approx(other.difficulty, abs=1e-3)


def test_information_is_largest_at_the_difficulty():
    _, _, _, wins, tries = made_up(60, 8, 5)
    found = item_responses(wins, tries)
    at = float(found.difficulty[0])
    assert found.information(at)[0] == pytest.approx(found.discrimination[0] ** 2 / 4)
    assert found.information(at + 1)[0] < found.information(at)[0]


def test_too_little_and_bad_input():
    _, _, _, wins, tries = made_up(19, 8, 5)
    assert isinstance(item_responses(wins, tries), Undefined)
    with pytest.raises(MalformedInput):
        item_responses(tries + 1, tries)
    with pytest.raises(MalformedInput):
        item_responses([1], [1])
