"""Listed tasks are there, and tasks that are not listed are not quietly others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reports.model import CheckResult
from tests.validator.judging import decided
from tests.validator.memory import Guess, MemoryTarget, World, observation
from validator.manifest import parse_manifest
from validator.starts import listed_tasks, unlisted_tasks
from validator.targets.base import Task, TaskIndex

CHECK = "runtime.task_declaration_accuracy"
NAMES = ["amber", "birch", "cedar", "delta"]
BY_NAME = {"select": {"level": "{task}"}, "ids": NAMES}
BY_NUMBER = {"select": {"level": "{task}"}, "count": 4}


class Levels(Guess):
    """Four levels by name or number, else one that the seed chooses; others are refused."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset({"seed": data["seed"]})
        found["observation"]["level"] = NAMES[self.choose(data.get("level"), data["seed"])]
        return found

    def choose(self, level: Any, seed: int) -> int:
        if level is None:
            return int(seed % 4)
        if level in NAMES:
            return NAMES.index(level)
        return self.other(level, seed)

    def other(self, level: Any, seed: int) -> int:
        if level not in range(4):
            raise ValueError(f"no level {level!r}")
        return int(level)


class AnyLevel(Levels):
    """Levels that are not there are chosen by the seed."""

    def other(self, level: Any, seed: int) -> int:
        return int(level) if level in range(4) else seed % 4


class FirstLevel(Levels):
    """Levels that are not there are the first."""

    def other(self, level: Any, seed: int) -> int:
        return int(level) if level in range(4) else 0


class RoundAndRound(Levels):
    """Levels begin again at the end."""

    def other(self, level: Any, seed: int) -> int:
        return int(level) % 4


class LastLost(Levels):
    """The last level is listed and not there."""

    def choose(self, level: Any, seed: int) -> int:
        if level in (3, "delta"):
            raise KeyError("delta.json")
        return super().choose(level, seed)


class Busy(Levels):
    """Every third reset of the process fails, whatever is asked for."""

    resets = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        type(self).resets += 1
        if self.resets % 3 == 0:
            raise RuntimeError("busy, try again")
        return super().reset(data)


class SameFace(Levels):
    """All levels look alike at first."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        super().reset(data)
        return observation({"tries": 0})


@pytest.mark.parametrize(
    ("world", "tasks", "status", "question", "saying"),
    [
        (Levels, BY_NAME, "pass", False, "4 of 4 listed tasks are served; 1 of 1"),
        (Levels, BY_NUMBER, "pass", False, "4 of 4 listed tasks are served; 2 of 2"),
        (Levels, {"select": {"level": "{task}"}, "ids": ["amber", 1]}, "pass", False, "1 of 3"),
        (Busy, BY_NAME, "pass", False, "4 of 4"),
        (SameFace, BY_NAME, "pass", False, "4 of 4"),
        (AnyLevel, BY_NAME, "fail", False, "answered with another"),
        (AnyLevel, BY_NUMBER, "fail", False, "answered with another"),
        (FirstLevel, BY_NAME, "fail", False, "answered with another"),
        (FirstLevel, BY_NUMBER, "fail", False, "answered with another"),
        (RoundAndRound, BY_NUMBER, "fail", True, "begin at its start again"),
        (
            RoundAndRound,
            {"select": {"level": "{task}"}, "count": "unbounded"},
            "pass",
            False,
            "8 of 8",
        ),
        (LastLost, BY_NAME, "fail", False, "listed, and cannot be had"),
        (LastLost, BY_NUMBER, "fail", False, "listed, and cannot be had"),
        (Guess, None, "skip", False, "no task is declared"),
    ],
)
def test_each_listed_task_is_tried_and_some_that_are_not(
    tmp_path: Path,
    world: Callable[[], World],
    tasks: dict[str, Any] | None,
    status: str,
    question: bool,
    saying: str,
) -> None:
    Busy.resets = 0
    found = decided(CHECK, world, tmp_path, declared={} if tasks is None else {"tasks": tasks})
    assert (found.status, found.question) == (status, question)
    assert saying in found.reason
    assert ("select" in found.needed) == (status == "skip")


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    lost = decided(CHECK, LastLost, tmp_path / "a", declared={"tasks": BY_NAME}).findings[0]
    assert lost.where == "task delta"
    assert "delta.json" in lost.saw
    silent = decided(CHECK, FirstLevel, tmp_path / "b", declared={"tasks": BY_NAME}).findings[0]
    assert (silent.where, "the start of task amber" in silent.saw) == ("task no-such-task", True)
    any_level = decided(CHECK, AnyLevel, tmp_path / "c", declared={"tasks": BY_NAME}).findings[0]
    assert "without a task gives" in any_level.saw


# Counts.


class Splits(Levels):
    """Four levels of training and two to be tested on."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        split = data.get("split")
        if split is None:
            return super().reset(data)
        if data["index"] >= {"train": 4, "test": 2}[split]:
            raise IndexError(f"no task {data['index']}")
        found = super().reset({"seed": data["seed"], "level": data["index"]})
        found["observation"]["split"] = split
        return found


class TrainByDefault(Splits):
    """Takes a split that is not there for that of training."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        unknown = "split" in data and data["split"] not in ("train", "test")
        found = super().reset(data | {"split": "train"} if unknown else data)
        found["observation"] |= {"split": "train"} if "split" not in data else {}
        return found


def counted(
    folder: Path,
    declared: dict[str, int],
    served: dict[str, int | None] | None,
    world: Callable[[], World] = Splits,
    **capabilities: Any,
) -> CheckResult:
    index = None if served is None else TaskIndex(
        counts=served,
        tasks=tuple(
            Task(id=f"{split}/{n}", options={"split": split, "index": n})
            for split, count in served.items()
            for n in range(count or 0)
        ),
    )  # fmt: skip
    target = MemoryTarget(world)
    target.about = replace(target.about, tasks=index)
    block = {"capabilities": {"declared_task_count": declared} | capabilities}
    manifest = parse_manifest({"validation": block}, where="test")
    return decided(CHECK, target, folder, manifest=manifest)


@pytest.mark.parametrize(
    ("declared", "served", "status", "saying"),
    [
        ({"train": 4}, {"train": 4}, "pass", "4 of 4"),
        ({"train": 20}, {"train": 4}, "fail", "another number of tasks"),
        ({"train": 4, "test": 2}, {"train": 4}, "fail", "other splits"),
        ({"train": 4}, {"train": 4, "test": 1}, "fail", "other splits"),
        ({}, {"train": 4}, "pass", "4 of 4"),
        ({}, {"train": 4, "test": 2}, "pass", "6 of 6 listed tasks are served; 5 of 5"),
        ({}, {"train": 6}, "fail", "cannot be had"),
        ({"train": 4}, {"train": None}, "pass", "as declared"),
        ({"train": 4}, None, "skip", "no task is declared"),
    ],
)
def test_numbers_and_splits_are_compared(
    tmp_path: Path,
    declared: dict[str, int],
    served: dict[str, int | None] | None,
    status: str,
    saying: str,
) -> None:
    found = counted(tmp_path, declared, served)
    assert (found.status, saying in found.reason) == (status, True), found.reason


def test_a_task_list_that_is_declared_must_be_there(tmp_path: Path) -> None:
    found = counted(tmp_path, {}, None, task_api=True)
    assert found.status == "fail"
    assert "the server has none" in found.reason


def test_a_split_that_is_not_there_is_not_taken_for_another(tmp_path: Path) -> None:
    served: dict[str, int | None] = {"train": 4, "test": 2}
    found = counted(tmp_path, {}, served, TrainByDefault)
    assert (found.status, found.question) == ("fail", False)
    assert found.findings[0].where == "task no-such-task/0"
    assert "task train/0" in found.findings[0].saw


class MostLost(Levels):
    """Of sixteen levels there are four, so that a run is given up before any exercise."""

    def choose(self, level: Any, seed: int) -> int:
        if level not in range(4):
            raise KeyError(f"{level}.json")
        return int(level)


def test_episodes_tell_where_the_exercise_never_came(tmp_path: Path) -> None:
    tasks = {"select": {"level": "{task}"}, "count": 16}
    found = decided(CHECK, MostLost, tmp_path, declared={"tasks": tasks})
    assert found.status == "fail"
    assert "4.json" in found.findings[0].saw


# Which tasks are tried.


def test_of_many_tasks_some_are_tried_and_the_last() -> None:
    manifest = parse_manifest(
        {"envassay": {"tasks": {"select": {"n": "{task}"}, "count": 1000}}}, where="test"
    )
    tried = [task.options["n"] for task in listed_tasks(manifest, None)]
    assert (len(tried), tried[0], tried[-1]) == (24, 0, 999)
    assert [task.options["n"] for task in unlisted_tasks(manifest, None)] == [1000, 1001]


def test_past_the_end_of_each_served_split_there_is_nothing() -> None:
    served = TaskIndex(counts={"train": 2, "test": None, "extra": 0}, tasks=())
    nothing = parse_manifest({}, where="test")
    assert [task.options for task in unlisted_tasks(nothing, served)] == [
        {"split": "train", "index": 2},
        {"split": "train", "index": 3},
        {"split": "no-such-task", "index": 0},
    ]
    alone = TaskIndex(counts={"train": 2}, tasks=())
    assert [task.id for task in unlisted_tasks(nothing, alone)] == ["train/2", "train/3"]
    assert unlisted_tasks(nothing, None) == ()
