"""The recorded runs are whole, and the page tells what they say."""

from pathlib import Path

import pandas as pd
import pytest

from benchmarks.learning.environments import ENVIRONMENTS
from benchmarks.learning.reached import by_environment, by_group, reached
from benchmarks.learning.train import POINTS, read_outcomes

PAGE = Path(__file__).resolve().parents[3] / "docs" / "design" / "learning.md"


@pytest.fixture(scope="module")
def outcomes() -> pd.DataFrame:
    return read_outcomes()


def test_every_environment_has_whole_runs_of_two_seeds_at_least(outcomes: pd.DataFrame) -> None:
    assert set(outcomes["environment"]) == {one.id for one in ENVIRONMENTS}
    runs = outcomes.groupby(["environment", "seed"])
    assert set(runs.size()) == {POINTS + 1}
    assert outcomes.groupby("environment")["seed"].nunique().min() >= 2
    assert outcomes["environment"].nunique() >= 60


def test_runs_began_at_nothing_and_kept_to_their_budget(outcomes: pd.DataFrame) -> None:
    budget = {one.id: one.steps for one in ENVIRONMENTS}
    ends = {one.id: one.ceiling - one.floor for one in ENVIRONMENTS}
    for (name, _), run in outcomes.groupby(["environment", "seed"]):
        points = run.sort_values("env_steps")
        assert points["env_steps"].is_monotonic_increasing
        assert points["env_steps"].iloc[0] == 0
        assert budget[str(name)] <= points["env_steps"].iloc[-1] <= 1.1 * budget[str(name)]
        rise = points["held_out_success"] - points["held_out_success"].iloc[0]
        assert (points["gain"] - rise / ends[str(name)]).abs().max() < 1e-9


def test_the_page_holds_the_tables(outcomes: pd.DataFrame) -> None:
    table = reached(outcomes)
    page = set(PAGE.read_text("utf-8").splitlines())
    wanted = {*by_group(table, "family"), *by_group(table, "kind"), *by_environment(table)}
    assert wanted - page == set()
