"""A world of questions in text, with its solver, and probes that answer at random."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from probes.base import Json, Lane, Rung, Seen
from reports.model import Report
from tests.validator.judging import judge
from tests.validator.memory import MemoryTarget, World, observation
from validator.manifest import parse_manifest
from validator.targets.base import About

TOWNS = ("Vienna", "Brussels", "Santiago", "Cairo", "Helsinki", "Accra", "Tokyo", "Nairobi")
LANDS = ("Austria", "Belgium", "Chile", "Egypt", "Finland", "Ghana", "Japan", "Kenya")
SOLVER = f"""
TOWNS = {dict(zip(LANDS, TOWNS, strict=True))!r}

def solve(observation, task, step):
    return {{"answer": TOWNS[observation["question"].split()[-1]]}}
"""
ACTION: Json = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
}


class Quiz:
    """One question, one answer; pays 1 for the right one."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.number = data.get("seed", 0) % len(TOWNS)
        self.right = TOWNS[self.number]
        return observation({"question": f"The capital of {LANDS[self.number]}"}, reward=None)

    def step(self, action: Any) -> dict[str, Any]:
        return observation({"remark": "noted"}, reward=self.grade(action["answer"]), done=True)

    def grade(self, answer: str) -> float | None:
        return float(answer.strip() == self.right)


class Babble:
    """Answers with one of a few words."""

    name = "random"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Babble":
        return _Babble(rng)


class _Babble:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def act(self, seen: Seen) -> Json:
        return {"answer": ("yes", "no", "perhaps", "42")[int(self._rng.integers(4))]}


class Silent:
    """Answers nothing."""

    name = "noop"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "Silent":
        return self

    def act(self, seen: Seen) -> Json:
        return {"answer": ""}


def ask(
    world: type[World],
    folder: Path,
    *,
    declared: Mapping[str, Any] | None = None,
    files: Mapping[str, str] | None = None,
    about: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Report:
    """Return the report on a world of questions; what the manifest names lies in `files`."""
    folder.mkdir(exist_ok=True)
    for name, text in ({"solver.py": SOLVER} | dict(files or {})).items():
        (folder / name).write_text(text)
    block = {"score_range": [0.0, 1.0], "horizon": 1, "reward_timing": "terminal"}
    manifest = parse_manifest(
        {"envassay": block | dict(declared or {})}, where="test", folder=folder
    )
    fields: dict[str, Any] = {
        "url": "http://memory.localhost:1",
        "driver": "memory",
        "name": "memory",
    }
    target = MemoryTarget(
        world, about=About(**(fields | {"action_schema": ACTION} | dict(about or {})))
    )
    return judge(target, folder, manifest=manifest, probes=(Silent(), Babble()), **settings)
