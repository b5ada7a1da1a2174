"""Comparisons play the same actions: what an agent makes of a new id is no fault of the server."""

import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Rung, Seen
from tests.validator.judging import decided
from tests.validator.memory import observation
from tests.validator.probes import Steady


class Minted:
    """Hands out a new id at each reset, and says what was done."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._id, self._steps = str(uuid.uuid4()), 0
        return self._told(None)

    def step(self, action: Any) -> dict[str, Any]:
        self._steps += 1
        return self._told(action["move"])

    def _told(self, move: int | None) -> dict[str, Any]:
        told = {"tries": self._steps, "episode_id": self._id, "move": move}
        return observation(told, done=self._steps == 8)


class Omens:
    """Reads its moves out of the id."""

    name = "random"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "Omens":
        return self

    def act(self, seen: Seen) -> Json:
        told: Any = seen.observation
        return {"move": int(told["episode_id"][seen.step], 16) % 3}


@pytest.mark.parametrize("check", ["session.load_stability", "wire.state_purity"])
def test_a_choice_made_of_an_id_is_made_once(tmp_path: Path, check: str) -> None:
    declared = {"horizon": 8, "concurrency": 8}
    found = decided(check, Minted, tmp_path, declared=declared, probes=(Steady(), Omens()))
    assert (found.status, "the same" in found.reason) == ("pass", True), found.reason
