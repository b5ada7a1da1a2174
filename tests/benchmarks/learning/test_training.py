"""Every environment speaks, and learners learn where there is something to learn."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.learning import train as training
from benchmarks.learning.environments import (
    ENVIRONMENTS,
    LearningEnvironment,
    find_environment,
)
from benchmarks.learning.evaluation import HELD_OUT
from benchmarks.learning.offers import Offer
from benchmarks.learning.serving import served
from benchmarks.learning.train import POINTS, Outcome, left, record, train
from benchmarks.learning.wire import Sessions

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def urls() -> Iterator[dict[str, str]]:
    """Serve all environments as for training."""
    with served([one.id for one in ENVIRONMENTS], truth=True) as found:
        yield found


def test_every_environment_plays_an_episode(urls: dict[str, str]) -> None:
    silent = []
    for one in ENVIRONMENTS:
        offer = Offer.at(urls[one.id])
        rng = np.random.default_rng(5)
        with Sessions(urls[one.id], 1) as sessions:
            [seen] = sessions.reset([0], [HELD_OUT])
            paid, steps = 0.0, 0
            while not seen.done and steps < one.horizon:
                actions = offer.actions(seen.observation)
                [seen] = sessions.step([0], [actions[rng.integers(len(actions))]])
                paid, steps = paid + seen.reward, steps + 1
            [success] = sessions.success([0])
        low, high = one.scores
        within = "gauss" in str(one.told) or low - 1e-6 <= paid <= high + 1e-6
        if not (seen.done and 0 <= success <= 1 and within):
            silent.append((one.id, seen.done, success, paid))
    assert silent == []


def test_the_same_seed_gives_the_same_start(urls: dict[str, str]) -> None:
    differing = []
    for one in ENVIRONMENTS:
        with Sessions(urls[one.id], 3) as sessions:
            first, second, other = sessions.reset([0, 1, 2], [4, 4, HELD_OUT + 9])
        if first.observation != second.observation:
            differing.append(one.id)
    assert differing == []


def test_a_validation_is_not_told_the_truth() -> None:
    name = "bandits/two_arms"
    with served([name]) as urls, Sessions(urls[name], 1) as sessions:
        sessions.reset([0], [1])
        sessions.step([0], [{"arm": "arm_0"}])
        with pytest.raises(KeyError, match="success"):
            sessions.success([0])


def _run(name: str, url: str, steps: int) -> list[Outcome]:
    return list(train(replace(find_environment(name), steps=steps), url, seed=1))


def test_a_bandit_is_learned_and_noise_is_not(urls: dict[str, str]) -> None:
    bandit = _run("bandits/context_4", urls["bandits/context_4"], 3_000)
    assert len(bandit) == POINTS + 1
    assert bandit[0].gain == 0.0
    assert bandit[-1].held_out_success > 0.8
    assert bandit[-1].gain == pytest.approx(
        bandit[-1].held_out_success - bandit[0].held_out_success
    )
    noise = _run("bandits/noise", urls["bandits/noise"], 2_000)
    assert abs(noise[-1].gain) < 0.45
    assert noise[-1].held_out_return == pytest.approx(0.5, abs=0.2)


def test_a_bonus_is_learned_in_place_of_the_task(urls: dict[str, str]) -> None:
    found = _run("bandits/bonus_arm", urls["bandits/bonus_arm"], 2_500)
    assert found[-1].held_out_return > found[0].held_out_return + 0.3
    assert found[-1].held_out_success < 0.7


@pytest.mark.skipif(find_spec("stable_baselines3") is None, reason="needs stable-baselines3")
def test_ppo_finds_a_goal(urls: dict[str, str]) -> None:
    found = _run("grid/room_4", urls["grid/room_4"], 6_000)
    assert found[-1].gain > 0.4


def _outcome(name: str, seed: int) -> Outcome:
    return Outcome(
        environment=name,
        family="bandits",
        kind="sound",
        algorithm="group",
        seed=seed,
        env_steps=0,
        held_out_success=0.5,
        held_out_success_sd=0.5,
        held_out_return=0.5,
        held_out_return_sd=0.5,
        held_out_episodes=96,
        gain=0.0,
        cpu_seconds=0.1,
    )


def test_what_is_recorded_is_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, urls: dict[str, str]
) -> None:
    path = tmp_path / "outcomes.parquet"
    one, other = find_environment("bandits/two_arms"), find_environment("bandits/noise")
    record([_outcome(one.id, 0)], path)
    runs = left([one, other], 2, pd.read_parquet(path))
    assert [(run.id, seed) for run, seed in runs] == [
        (other.id, 0),
        (one.id, 1),
        (other.id, 1),
    ]
    ran = []

    def note(environment: LearningEnvironment, url: str, seed: int) -> list[Outcome]:
        ran.append((environment.id, seed))
        return [_outcome(environment.id, seed)]

    monkeypatch.setattr(training, "train", note)
    training.train_all([one], 2, path)
    assert ran == [(one.id, 1)]
    training.train_all([one], 2, path)
    assert ran == [(one.id, 1)]
    assert sorted(pd.read_parquet(path)["seed"]) == [0, 1]
