"""Solutions that an agent can read."""

from pathlib import Path
from typing import Any

import pytest

from tests.validator.checks.test_tamper import CALL, TEXT
from tests.validator.judging import answer
from tests.validator.memory import World, observation
from tests.validator.quiz import SOLVER, Quiz, ask
from validator.targets.base import Tool

READER = Tool(
    name="read_file",
    description="Read a file",
    input_schema={"type": "object", "properties": {"path": TEXT}, "required": ["path"]},
)
LONG = SOLVER + "\n# the towns of the eight lands, by the name of the land they are in\n"
ORACLE = {"oracle": {"policy": "solver.py:solve"}}


class Library:
    """Healthy: files to read, none of them the solution."""

    files = {"list.txt": "3\n1\n2\n", "solver.py": "# yours to write\n"}

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return observation({"listing": sorted(self.files)})

    def step(self, action: Any) -> dict[str, Any]:
        path = action.get("arguments", {}).get("path")
        if path not in self.files:
            raise ValueError(f"no file named {path}")
        return observation({"text": self.files[path]})


class OpenLibrary(Library):
    """The solver was left in the folder."""

    files = {"list.txt": "3\n", "solver.py": LONG}


class Verbose(Quiz):
    """Refuses with the source of its solver."""

    def step(self, action: Any) -> dict[str, Any]:
        if action["answer"] == "42":
            raise ValueError(f"in solver.py: {LONG}")
        return super().step(action)


@pytest.mark.parametrize(
    ("world", "declared", "status", "told"),
    [
        (Library, ORACLE, "pass", "or read with 1 tools in"),
        (OpenLibrary, ORACLE, "fail", "a tool reads the author's solutions"),
        (Quiz, ORACLE, "pass", "pieces of the solutions is in what the agent is shown"),
        (Verbose, ORACLE, "fail", "a piece of the author's solutions is shown"),
        (Quiz, {}, "skip", "no solution is declared"),
    ],
)
def test_solutions_are_out_of_reach(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, told: str
) -> None:
    about = {"action_schema": CALL, "tools": (READER,)} if issubclass(world, Library) else {}
    report = ask(world, tmp_path, declared=declared, files={"solver.py": LONG}, about=about)
    found = answer(report, "runtime.oracle_containment")
    assert (found.status, found.question) == (status, False), found.reason
    assert told in found.reason
