"""The tabular MDPs are those whose outcomes were published."""

import json

import numpy as np
import pandas as pd
import pytest

from benchmarks.learning.tabular import CELLS, OUTCOMES, outcomes, predicted
from benchmarks.learning.tabular_play import STEPS, statistics
from benchmarks.learning.tabular_worlds import (
    FAMILIES,
    Compiled,
    TabularEnvironment,
    compiled,
    mean_reward,
)


def smallest(family: str) -> pd.Series:
    table = pd.read_csv(OUTCOMES)
    of = table[(table.family == family) & (table.setting == "episodic") & (table.seed == 0)]
    return of.sort_values("n_base_states").iloc[0]


def built(row: pd.Series) -> Compiled:
    return compiled(row.family, json.loads(row.params), json.loads(row.layout), int(row.horizon))


def random_rewards(mdp: Compiled) -> list[float]:
    """Return the mean reward per step of random play from each start."""
    n, means = len(mdp.states), {name: mean_reward(how) for name, how in mdp.rewards.items()}
    moves, pays = np.zeros((n, n)), np.zeros(n)
    for state, rows in enumerate(mdp.leads):
        for row in rows:
            for after, chance, name in row:
                moves[state, after] += chance / mdp.actions
                pays[state] += chance * means[name] / mdp.actions
    found = []
    for start in mdp.starts:
        at, earned = np.eye(n)[start], 0.0
        for _ in range(mdp.horizon or 0):
            earned += float(at @ pays)
            at = at @ moves
        found.append(earned / (mdp.horizon or 1))
    return found


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_rebuilt_mdp_has_the_published_states_and_pays_random_play_as_published(family) -> None:
    row = smallest(family)
    mdp = built(row)
    assert len(mdp.states) == row.n_base_states
    assert mdp.actions == row.n_actions
    for rows in mdp.leads:
        for leads in rows:
            assert sum(chance for _, chance, _ in leads) == pytest.approx(1.0)
    # published is the reward from the start that was drawn last, or near the mean over starts
    found = random_rewards(mdp)
    assert min(found) - 1e-4 <= row.reward_random <= max(found) + 1e-4


def test_a_client_sees_the_same_again_under_the_same_seed() -> None:
    row = smallest("RiverSwim")
    runs = []
    for _ in range(2):
        world = TabularEnvironment(built(row))
        seen = [world.reset(5)]
        seen += [world.step(k % world.actions) for k in range(int(row.horizon))]
        runs.append(seen)
    assert runs[0] == runs[1]
    assert runs[0][-1][2] is True


def test_statistics_tell_a_small_world_from_what_they_played() -> None:
    row = smallest("RiverSwim")
    found = statistics(TabularEnvironment(built(row)), 0)
    assert found["any_states"] == row.n_base_states
    assert found["planned_gap"] == pytest.approx(row.reward_optimal - row.reward_random, rel=0.25)
    assert pytest.approx(0.02) == STEPS / 490_000


def test_runs_that_the_clock_ended_are_left_out() -> None:
    assert [len(outcomes(*cell, capped=True)) for cell in CELLS] == [40] * 5
    assert [len(outcomes(*cell, capped=False)) for cell in CELLS] == [40, 40, 13, 40, 33]


def test_the_weight_of_the_gap_is_learned_from_other_families() -> None:
    rng = np.random.default_rng(0)
    cell = pd.DataFrame(
        {
            "family": list("abcd") * 10,
            "planned_gap": rng.random(40),
            "any_states_estimated": 10 ** rng.uniform(1, 3, 40),
        }
    )
    cell["progress"] = -cell.any_states_estimated
    assert predicted(cell).argmax() == cell.any_states_estimated.argmin()
