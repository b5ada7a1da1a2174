"""Worlds in this process are judged the same in another order, by other names, and shifted."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.calibration.metamorphoses import (
    Change,
    Changed,
    backwards,
    one_step,
    renamed,
    reordered,
    shifted,
)
from tests.validator.judging import judge
from tests.validator.memory import Guess, MemoryTarget
from validator.manifest import parse_manifest

BLOCK: dict[str, Any] = {"score_range": [0.0, 1.0], "horizon": 1, "concurrency": 8}
LEVELS = ["a", "b", "c"]


class OneGuess(Guess):
    """One guess, of a level or of what the seed chooses."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        level = data.get("level")
        seed = data["seed"] if level is None else 7 * LEVELS.index(level)
        found = super().reset({"seed": seed})
        found["observation"] = {"tries": 0, "clue": 100 + self._secret}
        return found

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action) | {"done": True}
        self._ended = True
        return found


class Generous(OneGuess):
    """Pays every guess."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"reward": 1.0}


class Stuck(OneGuess):
    """Always serves one level."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset({"seed": data["seed"], "level": "a"})


def said(world: type, folder: Path, block: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Return status and question of every check."""
    manifest = change.declared({"envassay": dict(block)})
    target: Any = Changed(MemoryTarget(world), change)
    report = judge(target, folder, manifest=parse_manifest(manifest, where="test"))
    return {result.id: (result.status, result.question) for result in report.results}


@pytest.mark.parametrize("world", [OneGuess, Generous, Stuck])
def test_no_verdict_changes(tmp_path: Path, world: type) -> None:
    block = BLOCK | {"tasks": {"select": {"level": "{task}"}, "ids": LEVELS}}
    plain = said(world, tmp_path / "plain", block, Change())
    for name, change in (
        ("order", reordered()),
        ("range", shifted()),
        ("names", renamed("level")),
    ):
        assert said(world, tmp_path / name, block, change) == plain, name
    failed = {check for check, (status, _) in plain.items() if status == "fail"}
    assert bool(failed) == (world is not OneGuess)


def test_the_changes_are_made() -> None:
    change = shifted(0.5)
    frame = {"type": "observation", "data": {"observation": {}, "reward": 1.0, "done": True}}
    assert change.received(frame)["data"]["reward"] == 1.5
    absent = {"type": "observation", "data": {"observation": {}, "reward": None, "done": True}}
    assert change.received(absent) == absent
    moved = change.declared(
        {
            "envassay": {"score_range": [0, 1], "horizon": 1},
            "validation": {"reward": {"range": [0, 1]}},
        }
    )
    assert moved["envassay"]["score_range"] == moved["validation"]["reward"]["range"] == [0.5, 1.5]
    assert one_step(moved)
    assert list(backwards({"a": 1, "b": [{"c": 1, "d": 2}]})) == ["b", "a"]
    sent = renamed("level").sent({"type": "reset", "data": {"level": "level-a", "seed": 1}})
    assert sent["data"] == {"level": "a", "seed": 1}
