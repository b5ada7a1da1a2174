"""What the score is computed from, and what fewer episodes are worth."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.learning.cheaper import stopped
from benchmarks.learning.episodes import EPISODES
from benchmarks.learning.grounds import Grounds, grounds, grounds_of
from benchmarks.learning.predictive import area_under_curve, spearman
from benchmarks.learning.predictors import PREDICTORS
from benchmarks.learning.score import chosen, chosen_with_solutions, gains, learned
from benchmarks.learning.solutions import SOLUTIONS
from benchmarks.learning.train import read_outcomes

PAGE = Path(__file__).resolve().parents[3] / "docs" / "predicts-learning.md"


@pytest.fixture(scope="module")
def episodes() -> pd.DataFrame:
    return pd.read_parquet(EPISODES)


@pytest.fixture(scope="module")
def table(episodes: pd.DataFrame) -> pd.DataFrame:
    found = grounds(episodes, pd.read_parquet(SOLUTIONS))
    return found.merge(pd.read_parquet(PREDICTORS), on="environment")


def test_the_product_computes_what_was_chosen(table: pd.DataFrame) -> None:
    """On the kept episodes the formula that all families choose is the product's, to the digit."""
    whole = table.merge(gains(read_outcomes()), on="environment")
    assert len(whole) == 96
    np.testing.assert_allclose(chosen(whole).of(whole), whole.plain, atol=1e-9)
    np.testing.assert_allclose(chosen_with_solutions(whole).of(whole), whole.value, atol=1e-9)


def test_a_start_of_its_own_is_never_met_twice(episodes: pd.DataFrame) -> None:
    for plan in ("own", "brief"):
        rows = episodes[episodes.plan == plan]
        assert rows.groupby("environment").seed.apply(lambda seeds: seeds.is_unique).all()
        assert rows.environment.nunique() == 96
    eight = episodes[episodes.plan == "eight"].groupby("environment").seed.nunique()
    assert eight.unique().tolist() == [8]


def test_solutions_bring_to_light_what_no_reward_tells(table: pd.DataFrame) -> None:
    by_name = table.set_index("environment")
    for wrong in ("control/cart_pole_sign", "tools/said_done", "puzzles/sort_touched"):
        assert by_name.value[wrong] == 0.0
        assert by_name.plain[wrong] > 0.1
    for noise in ("bandits/noise", "tools/weather", "grid/noise"):
        assert by_name.own_unpaid[noise]
    for sound in ("grid/room_8", "words/hangman", "control/pendulum", "bandits/two_arms"):
        assert by_name.value[sound] == by_name.plain[sound] > 0.1


def test_the_brief_plan_keeps_to_two_per_cent_but_for_its_last_and_fewest_episodes(
    episodes: pd.DataFrame,
) -> None:
    found = grounds_of("bandits/context_64", "brief", episodes, pd.read_parquet(SOLUTIONS))
    assert found.steps == 180 + 60
    assert grounds_of("bandits/context_64", "own", episodes, pd.read_parquet(SOLUTIONS)).steps > 300


def some(learned: list[float]) -> Grounds:
    rewards = np.array(learned, dtype=float)
    steps = np.ones(rewards.size)
    return Grounds(
        random=np.zeros(20), starts=np.arange(20.0), learned=rewards, solutions=np.ones(8),
        random_steps=np.ones(20), learned_steps=steps,
    )  # fmt: skip


def test_a_learner_is_stopped_where_its_rise_is_plain_or_plainly_absent() -> None:
    assert stopped(some([0.0] * 200)).learned.size == 50
    plain = [float(place > 20) for place in range(200)]
    assert stopped(some(plain)).learned.size == 50
    doubtful = [float(place % 7 == 0) for place in range(200)]
    assert stopped(some(doubtful)).learned.size > 50


def test_part_of_the_episodes_is_the_first_of_the_learner() -> None:
    found = some([float(place) / 200 for place in range(200)]).part(0.25)
    assert found.learned.tolist() == [place / 200 for place in range(50)]
    assert (found.random.size, found.steps) == (5, 55)


def test_the_page_holds_what_the_data_say(table: pd.DataFrame) -> None:
    """Estimates alone: their intervals take as many resamples as the report draws."""
    whole = table.merge(gains(read_outcomes()), on="environment")
    page = PAGE.read_text("utf-8")
    for way, column in (("solutions declared", "value"), ("nothing declared", "plain")):
        (row,) = [
            line for line in page.splitlines() if line.startswith(f"| **training value, {way}** |")
        ]
        told = [cell.split()[0] for cell in row.split("|")[2:5]]
        scores, gain = whole[column].to_numpy(float), whole.gain.to_numpy(float)
        assert told[0] == f"{spearman(scores, gain):.2f}".removeprefix("0")
        assert told[2] == f"{area_under_curve(scores, learned(whole)):.2f}".removeprefix("0")
