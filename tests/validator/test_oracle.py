"""The author's function: loaded by path, asked at each step, one clear line on every fault."""

import json
from pathlib import Path
from typing import Any

import pytest

from probes.base import Finished, Seen, Unplayable
from probes.oracle.solver import Solver
from validator.errors import SettingsError
from validator.manifest import parse_manifest
from validator.operator_code import load_function
from validator.rollouts.start import Start
from validator.targets.base import Task
from validator.trajectories import declared_oracle

GOOD = "from beside import MOVE\n\ndef solve(observation, task, step):\n    return {'move': MOVE}\n"


def test_a_function_is_loaded_by_path_and_may_import_from_beside(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("MOVE = 2\n")
    (tmp_path / "solver.py").write_text(GOOD)
    assert load_function(tmp_path, "solver.py:solve")({}, {}, 0) == {"move": 2}


@pytest.mark.parametrize(
    ("source", "spelled", "told"),
    [
        ("", "solver", "names no function"),
        ("", "solver.py:", "names no function"),
        ("", "other.py:solve", "is no file"),
        ("x = 1\n", "solver.py:solve", "has no 'solve'"),
        ("solve = 1\n", "solver.py:solve", "is no function of"),
        ("def solve(observation):\n    pass\n", "solver.py:solve", "is no function of"),
        ("async def solve(a, b, c):\n    pass\n", "solver.py:solve", "is no function of"),
        ("def solve(:\n", "solver.py:solve", "does not run: SyntaxError"),
        ("raise SystemExit(3)\n", "solver.py:solve", "does not run: SystemExit: 3"),
        ("import nothing_of_that_name\n", "solver.py:solve", "No module named"),
    ],
)
def test_each_fault_of_it_is_one_line(tmp_path: Path, source: str, spelled: str, told: str) -> None:
    (tmp_path / "solver.py").write_text(source)
    with pytest.raises(SettingsError) as caught:
        load_function(tmp_path, spelled)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_is_asked_on_every_start_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "solver.py").write_text("def solve(a, b, c):\n    return {}\n")
    manifest = parse_manifest(
        {"envassay": {"oracle": {"policy": "solver.py:solve"}}}, where="test", folder=tmp_path
    )
    starts = [Start(task=Task(id=f"t{n}", options={"task": n}), seed=n) for n in range(3)]
    walks = declared_oracle(manifest).solutions(starts, 2)
    assert [walk.id for walk in walks] == ["oracle/t0/0", "oracle/t1/1", "oracle/t2/2"]
    assert [walk.start.reset for walk in walks][2] == {"task": 2, "seed": 2}


def test_a_function_that_breaks_has_no_action_to_offer() -> None:
    def solve(observation: Any, task: Any, step: int) -> Any:
        answers = [{"move": task["seed"]}, {1, 2}, None]
        return answers[step] if step < 3 else observation["missing"]

    solver = Solver(solve, {"seed": 7})
    assert solver.act(Seen(observation={}, step=0)) == {"move": 7}
    with pytest.raises(Unplayable, match="returned a set at step 1, which is no JSON"):
        solver.act(Seen(observation={}, step=1))
    with pytest.raises(Finished):
        solver.act(Seen(observation={}, step=2))
    with pytest.raises(Unplayable, match="raised KeyError: 'missing' at step 3"):
        solver.act(Seen(observation={}, step=3))


def test_what_a_function_does_to_its_input_stays_with_it() -> None:
    seen = Seen(observation={"board": [0]}, step=0)

    def solve(observation: Any, task: Any, step: int) -> Any:
        observation["board"].clear()
        return {}

    Solver(solve, {}).act(seen)
    assert json.dumps(seen.observation) == '{"board": [0]}'
