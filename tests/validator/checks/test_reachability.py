"""statistical.reward_reachability: what not even the author's solutions reach is out of reach."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import decided
from tests.validator.memory import Guess
from validator.manifest import parse_manifest

CHECK = "statistical.reward_reachability"


class Lost(Guess):
    """Pays no one."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"reward": 0.0}


class Hidden(Guess):
    """Pays one move after two others in their order, which the probes of these tests hit rarely."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._moves: list[int] = []
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        self._moves.append(action["move"])
        over = len(self._moves) == 10
        paid = float(self._moves == [0, 1, 2, 2, 1, 0, 1, 2, 0, 1])
        return {"observation": {"tries": len(self._moves)}, "reward": paid, "done": over}


WAY = [{"move": move} for move in (0, 1, 2, 2, 1, 0, 1, 2, 0, 1)]


@pytest.mark.parametrize(
    ("world", "solutions", "status", "saying"),
    [
        (Guess, 0, "pass", "episodes scored 1 or more"),
        (Lost, 0, "skip", "at most"),
        (Lost, 2, "skip", "at most"),
        (Lost, 4, "fail", "not one of 4 declared solutions"),
        (Hidden, 4, "pass", "the declared solutions do"),
        (Hidden, 0, "skip", "at most"),
    ],
)
def test_solutions_tell_what_weak_probes_cannot(
    tmp_path: Path, world: type, solutions: int, status: str, saying: str
) -> None:
    block: dict[str, Any] = {"score_range": [0.0, 1.0], "horizon": 10}
    if solutions:
        lines = [{"reset": {"seed": seed}, "actions": WAY} for seed in range(solutions)]
        (tmp_path / "oracle.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        block["oracle"] = {"trajectories": "oracle.jsonl"}
    manifest = parse_manifest({"envassay": block}, where="test", folder=tmp_path)
    found = decided(CHECK, world, tmp_path, manifest=manifest)
    assert (found.status, saying in found.reason) == (status, True), found.reason
