"""What is refused tells nothing of when an episode ends."""

from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import decided
from tests.validator.memory import Guess


class Refuses(Guess):
    """Lets no step through but those before some number."""

    taken = 0

    def step(self, action: Any) -> dict[str, Any]:
        self.taken += 1
        if self.taken > self.lets:
            raise RuntimeError("the engine is busy")
        return super().step(action) | {"done": False}

    lets = 0


class LetsTwo(Refuses):
    lets = 2


@pytest.mark.parametrize(
    ("world", "horizon", "status"),
    [(Refuses, 1, "skip"), (Refuses, None, "skip"), (LetsTwo, 3, "skip"), (LetsTwo, 2, "fail")],
)
def test_an_episode_of_refused_steps_is_not_one_that_does_not_end(
    tmp_path: Path, world: type[Guess], horizon: int | None, status: str
) -> None:
    declared = {} if horizon is None else {"horizon": horizon}
    found = decided("episode.termination", world, tmp_path, declared=declared, max_steps=4)
    assert found.status == status, found.reason


class OneTry(Guess):
    """Has one try, and refuses the first move but for one seed in four."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._strict = data["seed"] % 4 != 0
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        if self._strict and action["move"] == 0:
            raise ValueError("this move is not taken")
        return super().step(action) | {"done": True, "reward": 0.0}


def test_a_start_that_refuses_nothing_ends_no_sooner_than_others(tmp_path: Path) -> None:
    declared = {"score_range": [0.0, 1.0]}
    found = decided("episode.termination", OneTry, tmp_path, declared=declared, max_steps=2)
    assert found.status == "pass", found.reason
