"""Declared tasks win over served ones, served ones over seeds alone."""

from typing import Any

from validator.manifest import parse_manifest
from validator.seeds import start_seeds, stream
from validator.starts import choose_starts
from validator.targets.base import Task, TaskIndex

SERVED = TaskIndex(
    counts={"train": 2},
    tasks=tuple(Task(id=f"train/{i}", options={"split": "train", "index": i}) for i in range(2)),
)


def manifest(**tasks: Any) -> Any:
    return parse_manifest({"envassay": {"tasks": tasks}} if tasks else {}, where="here")


def test_seeds_alone_where_there_are_no_tasks() -> None:
    starts = choose_starts(manifest(), None, 5, 1)
    assert [start.task.id for start in starts] == ["-"] * 5
    assert [start.seed for start in starts] == start_seeds(1, 5)


def test_served_tasks_are_taken_in_order() -> None:
    starts = choose_starts(manifest(), SERVED, 5, 1)
    assert [start.task.options for start in starts] == [
        {"split": "train", "index": 0}, {"split": "train", "index": 1},
    ]  # fmt: skip


def test_declared_tasks_win_and_keep_the_type_of_their_id() -> None:
    chosen = manifest(
        select={"id": "{task}", "name": "level-{task}", "in": [{"x": "{task}"}]}, count=2
    )
    starts = choose_starts(chosen, SERVED, 5, 1)
    assert [start.task.options for start in starts] == [
        {"id": 0, "name": "level-0", "in": [{"x": 0}]},
        {"id": 1, "name": "level-1", "in": [{"x": 1}]},
    ]


def test_a_budget_takes_no_more_tasks_than_it_can_play() -> None:
    assert len(choose_starts(manifest(select={"t": "{task}"}, count="unbounded"), None, 7, 1)) == 7
    starts = choose_starts(manifest(select={"t": "{task}"}, ids=["a", "b", "c"]), None, 2, 1)
    assert [start.task.id for start in starts] == ["a", "b"]


def test_a_larger_budget_extends_the_seeds_of_a_smaller_one() -> None:
    assert start_seeds(4, 100)[:8] == start_seeds(4, 8)
    assert start_seeds(4, 100)[0] == 0
    assert len(set(start_seeds(4, 900))) == 900
    assert start_seeds(4, 8) != start_seeds(5, 8)


def test_each_place_has_its_own_numbers() -> None:
    assert stream(1, "a", 2).random() == stream(1, "a", 2).random()
    places = [stream(1, "a", 2), stream(1, "a", "2"), stream(1, "a2"), stream(2, "a", 2)]
    assert len({place.random() for place in places}) == 4
