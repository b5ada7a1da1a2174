"""Two episodes are compared as far as the same was done in them."""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Rung, Seen
from tests.validator.judging import answer, judge
from tests.validator.memory import MemoryTarget, World, observation
from tests.validator.quiz import ACTION, Silent
from validator.targets.base import About


class Receipts:
    """Healthy: numbers each observation anew, and shows what was said last."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.seed, self.steps = data.get("seed", 0), 0
        return self.look("", 0.0)

    def step(self, action: Any) -> dict[str, Any]:
        self.steps += 1
        return self.look(action["answer"], float(len(action["answer"]) % 2))

    def look(self, said: str, reward: float) -> dict[str, Any]:
        seen = {"receipt": str(uuid.uuid4()), "said": said, "task": self.seed}
        return observation(seen, reward=reward, done=self.steps == 3)


class Wanders(Receipts):
    """Draws its task from chance, whatever the seed."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset({"seed": uuid.uuid4().int % 1000})


class Parrot:
    """Says the first letters of what it was shown last."""

    name = "random"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "Parrot":
        return self

    def act(self, seen: Seen) -> Json:
        shown = seen.observation
        return {"answer": str(shown["receipt"])[:8] if isinstance(shown, Mapping) else ""}


@pytest.mark.parametrize(("world", "status"), [(Receipts, "pass"), (Wanders, "fail")])
def test_who_says_an_id_goes_another_way_in_a_world_that_repeats(
    tmp_path: Path, world: type[World], status: str
) -> None:
    about = About(url="http://memory:1", driver="memory", name="memory", action_schema=ACTION)
    report = judge(MemoryTarget(world, about=about), tmp_path, probes=(Silent(), Parrot()))
    assert answer(report, "runtime.seed_control").status == status
    assert answer(report, "runtime.episode_determinism").status == status
