"""What authors would declare as solutions, and what it earns."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.learning.environments import ENVIRONMENTS, find_environment
from benchmarks.learning.serving import served
from benchmarks.learning.solutions import SOLUTIONS, declared, seeds_of, walk
from benchmarks.learning.wire import Sessions

SOLVED = (
    "bandits/linear", "grid/key_and_door", "words/quest_told", "tools/orders_login",
    "control/catch", "puzzles/hanoi_2", "puzzles/lights_2", "grid/decoy",
)  # fmt: skip


@pytest.fixture(scope="module")
def walked() -> pd.DataFrame:
    return pd.read_parquet(SOLUTIONS)


@pytest.mark.servers
def test_a_solution_solves_the_task_as_it_claims_to_be() -> None:
    solutions = declared([find_environment(name) for name in SOLVED])
    with served(SOLVED, truth=True) as urls:
        for name in SOLVED:
            with Sessions(urls[name], 1) as sessions:
                for solution in [one for one in solutions if one["environment"] == name][:4]:
                    found = walk(sessions, solution)
                    assert found.done
                    assert sessions.success([0]) == [1.0], name


def test_every_environment_has_as_many_as_it_should(walked: pd.DataFrame) -> None:
    for one in ENVIRONMENTS:
        rows = walked[walked.environment == one.id]
        assert sorted(rows.seed) == list(seeds_of(one))
        assert rows.done.all()
        assert rows.steps.max() <= one.horizon


def test_solutions_earn_all_there_is_where_the_reward_is_what_is_meant(
    walked: pd.DataFrame,
) -> None:
    partly = {"bandits/two_arms", "bandits/ten_arms", "bandits/needle"}  # paid by chance
    for one in ENVIRONMENTS:
        if one.kind not in ("sound", "sparse", "saturated") or one.id in partly:
            continue
        scores = walked[walked.environment == one.id].score
        assert (scores.mean() - one.scores[0]) / np.ptp(one.scores) > 0.8, one.id


def test_where_the_reward_is_something_else_they_earn_no_more_than_anyone(
    walked: pd.DataFrame,
) -> None:
    earned = walked.groupby("environment").score.mean()
    assert earned["control/cart_pole_sign"] == -100
    assert earned["grid/walled"] == earned["tools/lost_record"] == 0
    assert earned["reasoning/wrong_key"] < 0.5
    assert earned["tools/said_done"] == 0.5  # saying so pays 1
