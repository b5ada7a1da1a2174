"""Atari games are predicted from episodes alone; their emulator stays a stranger."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.learning.atari import (
    EPISODES,
    OUTCOMES,
    SCORES,
    measured,
    signed,
    table,
    with_human_range,
)
from benchmarks.learning.atari_outcomes import LAST, outcomes_of, row_of
from benchmarks.learning.atari_play import (
    DECISIONS,
    FIRST,
    GROUP,
    LEARNED,
    STARTS,
    episodes_of,
    statistics,
)
from benchmarks.learning.serving import served

ROOT = Path(__file__).resolve().parents[3]


def episodes(random: list[float], learned: list[float], game: str = "game") -> pd.DataFrame:
    """Return episodes of ten steps with these scores, random play on two starts by halves."""
    rows = [
        {
            "game": game, "plan": plan, "episode": number, "seed": 2 * number // len(scores),
            "steps": 10, "score": score, "rewarded": int(score != 0), "clipped": float(score > 0),
            "first": f"move {number % 2}", "new_states": 4,
        }
        for plan, scores in (("random", random), ("learner", learned))
        for number, score in enumerate(scores)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_statistics_are_shares_of_the_range_that_was_seen() -> None:
    found = statistics(episodes([0.0] * 8 + [2.0] * 8, list(np.linspace(0, 10, 16))))
    assert found["range"] == 10
    assert found["rise"] == pytest.approx(1.0)
    assert found["seen"] == pytest.approx(0.9)  # the best of 10, random play's mean of 1
    assert found["value"] == pytest.approx(1.0)
    assert found["surely_rose"] == 1
    assert found["mean_reward"] == found["best_gap"] == found["reward_variance"] == 1
    assert found["best_gap_in_deviations"] == pytest.approx(1.0)
    assert found["nonzero_share"] == 0.5
    assert found["rewarded_steps"] == 0.05
    assert found["states"] == pytest.approx(4 / 11)
    assert found["learner_over_random"] == pytest.approx(0.8)
    assert found["zero_variance_share"] == 1  # each start always pays the same


def test_a_game_that_never_pays_is_worth_nothing() -> None:
    found = statistics(episodes([0.0] * 16, [0.0] * 16))
    assert found["value"] == found["rise"] == found["seen"] == found["range"] == 0
    assert found["surely_rose"] == 0
    assert found["best_gap_in_deviations"] == found["first_action_effect"] == 0


def test_the_human_range_divides_value_and_outcome_alike() -> None:
    cell = pd.DataFrame({"rise": [0.5], "range": [10.0], "seen": [0.8], "width": [20.0]})
    found = with_human_range(cell).iloc[0]
    assert found.declared == pytest.approx(0.25 + 0.75 * 0.3 * 0.4)
    assert found.narrow == 0.05


def test_an_outcome_is_a_share_of_what_the_best_agent_gained() -> None:
    curves = {
        "DQN": pd.Series([0.0, 4.0, 4.0, 4.0, 4.0, 4.0]),
        "IQN": pd.Series([2.0, 9.0, 9.0, 9.0, 9.0, 9.0]),
    }
    assert len(curves["DQN"]) == LAST + 1
    found = row_of(curves, "DQN")
    assert found == {"start": 1.0, "end": 4.0, "mean": pytest.approx(20 / 6), "top": 9.0,
                     "share": pytest.approx((20 / 6 - 1) / 8)}  # fmt: skip


def test_no_agent_gained_no_share() -> None:
    assert np.isnan(row_of({"DQN": pd.Series([5.0] + [3.0] * 5)}, "DQN")["share"])


def test_outcomes_are_read_from_the_source_as_it_lies(tmp_path: Path) -> None:
    folder = tmp_path / "baselines" / "atari" / "data"
    folder.mkdir(parents=True)
    rows = [
        {"Iteration": iteration, "Value": value + run, "Agent": agent}
        for agent in ("DQN", "Rainbow")
        for run in (-1, 1)
        for iteration, value in enumerate([-20.7] + [14.6] * 5)
    ]
    (folder / "pong.json").write_text(json.dumps(rows))
    (folder / "airraid.json").write_text(json.dumps(rows))
    (folder / "pong_Impala.json").write_text("[]")
    (folder / "pong.vg.json").write_text("{}")
    found = outcomes_of(tmp_path).set_index(["game", "agent"])
    assert len(found) == 4
    assert found.loc[("pong", "DQN"), "human"] == pytest.approx(1.0)
    assert found.human.isna().tolist() == [True, True, False, False]
    assert found.loc[("air_raid", "Rainbow"), "share"] == pytest.approx(5 / 6)


def test_sixty_games_are_kept_of_which_five_have_no_human_score() -> None:
    kept = pd.read_csv(OUTCOMES)
    for agent in ("DQN", "Rainbow"):
        rows = kept[kept.agent == agent]
        assert (rows.game.nunique(), rows.human.notna().sum()) == (60, 55)
    pong = kept[(kept.game == "pong") & (kept.agent == "DQN")].iloc[0]
    assert pong.human == pytest.approx((15.8569 + 20.7) / 35.3, abs=1e-4)


def test_every_game_was_played_as_it_is_told() -> None:
    played = pd.read_parquet(EPISODES)
    assert set(played.game) == set(pd.read_csv(OUTCOMES).game)
    assert (played.groupby(["game", "plan"]).size() == LEARNED).all()
    assert played.steps.max() == DECISIONS
    assert (played.rewarded <= played.steps).all()
    found = measured(played).set_index("game")
    assert found.loc["montezuma_revenge", "value"] == 0  # ten seconds do not reach its first key
    assert found.loc["breakout", "surely_rose"] == 1


def test_a_baseline_is_given_the_better_sign() -> None:
    values, reached = np.array([3.0, 2.0, 1.0]), np.array([1.0, 2.0, 3.0])
    assert signed(values, reached).tolist() == [-3.0, -2.0, -1.0]
    assert signed(values, values).tolist() == values.tolist()


def test_the_table_orders_games_by_each_number() -> None:
    games = [f"game {number:02}" for number in range(12)]
    played = pd.concat(
        [episodes([0.0] * 8 + [1.0] * 8, list(np.linspace(1, 1 + rise, 16)), name)
         for rise, name in enumerate(games)]
    )  # fmt: skip
    rise = measured(played).set_index("game").rise
    assert rise.loc[games].is_monotonic_increasing
    reached = pd.DataFrame(
        [{"game": name, "agent": agent, "share": float(place), "human": 0.0}
         for agent in ("DQN", "Rainbow") for place, name in enumerate(games)]
    )  # fmt: skip
    few = {"mean reward": "mean_reward"}
    printed = table(played, reached, "share", few).splitlines()
    assert printed[0].count("12 games") == 6
    row = next(line for line in printed if line.startswith("| rise of the learner"))
    assert row.split("|")[2].strip() == "1.00 [1.00, 1.00]"
    assert len([line for line in printed if line.startswith("|")]) == 2 + len(SCORES | few)


@pytest.mark.servers
def test_a_game_is_played_over_the_wire() -> None:
    with served(["control/catch"]) as urls:
        found = pd.DataFrame(
            [{name: getattr(row, name) for name in row.__dataclass_fields__}
             for row in episodes_of("catch", urls["control/catch"])]
        )  # fmt: skip
    random, learner = found[found.plan == "random"], found[found.plan == "learner"]
    assert random.seed.value_counts().tolist() == [GROUP] * STARTS
    assert learner.seed.tolist() == list(range(FIRST, FIRST + LEARNED))
    assert (found.steps <= 8).all()
    assert (found.rewarded <= found.steps).all()
    assert random.new_states.iloc[0] > random.new_states.iloc[1:].mean()
    assert found.score.between(0, 1).all()
    assert random["first"].nunique() > 1


def test_the_emulator_is_no_part_of_the_project() -> None:
    server = ROOT / "benchmarks" / "learning" / "atari_server.py"
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name) or ""
        for node in ast.walk(ast.parse(server.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    own = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"benchmarks", "tests"}
    assert not {name.partition(".")[0] for name in imported} & own
    assert "ale_py" in imported
    named = re.compile(r"^\s*(import|from) (ale_py|benchmarks\.learning\.atari_server)", re.M)
    for room in (*own, "examples"):
        for path in (ROOT / room).rglob("*.py"):
            if path != server:
                assert not named.search(path.read_text("utf-8")), path
    told = [ROOT / "pyproject.toml", *(ROOT / "requirements").iterdir()]
    assert not any("ale-py" in path.read_text("utf-8") for path in told if path.is_file())
