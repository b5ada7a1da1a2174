"""Reading task routes, whatever they hold."""

import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from validator.client.frames import Json
from validator.client.tasks import MOST_TASKS, READ_TASKS, read_task_index
from validator.targets.base import Task, TaskIndex

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


class Routes:
    """Answers routes from a table and notes what was asked."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.asked: list[str] = []

    async def __call__(self, route: str, body: Json) -> Json:
        key = route if body is None else f"{route} {json.dumps(body)}"
        self.asked.append(key)
        found: Json = self.table.get(key, self.table.get(route))
        return found

    def index(self) -> TaskIndex | None:
        return asyncio.run(read_task_index(self))


def listing(splits: Any, counts: Any) -> Routes:
    return Routes(
        {
            "/list_environments": ["sums"],
            "/sums/splits": splits,
            "/sums/num_tasks": counts,
            "/sums/task": {"task": {}},
        }
    )


def test_tasks_come_split_by_split_in_turn() -> None:
    index = listing([{"name": "train"}, "test"], {"num_tasks": 2}).index()
    assert index == TaskIndex(
        counts={"train": 2, "test": 2},
        tasks=(
            Task(id="train/0", options={"split": "train", "index": 0}),
            Task(id="test/0", options={"split": "test", "index": 0}),
            Task(id="train/1", options={"split": "train", "index": 1}),
            Task(id="test/1", options={"split": "test", "index": 1}),
        ),
    )


def test_few_tasks_are_read_and_many_are_named() -> None:
    routes = listing(["train"], {"num_tasks": 10**9})
    index = routes.index()
    assert index is not None
    assert index.counts == {"train": 10**9}
    assert len(index.tasks) == MOST_TASKS
    assert sum("/task " in asked for asked in routes.asked) == READ_TASKS


def test_uncounted_split_has_the_tasks_that_could_be_read() -> None:
    routes = listing(["train"], None)
    routes.table.pop("/sums/task")
    for index in (0, 1):
        routes.table[f"/sums/task {json.dumps({'split': 'train', 'index': index})}"] = {}
    found = routes.index()
    assert found is not None
    assert found.counts == {"train": None}
    assert [task.id for task in found.tasks] == ["train/0", "train/1"]


def test_name_of_an_environment_is_one_part_of_a_path() -> None:
    routes = Routes({"/list_environments": ["../../admin?x#y"]})
    assert routes.index() is None
    assert routes.asked == ["/list_environments", "/..%2F..%2Fadmin%3Fx%23y/splits"]


@given(values, values, values, values)
def test_no_answer_makes_reading_tasks_fail(
    names: Json, splits: Json, counts: Json, task: Json
) -> None:
    routes = Routes(
        {
            "/list_environments": names,
            "/sums/splits": splits,
            "/sums/num_tasks": counts,
            "/sums/task": task,
        }
    )
    index = routes.index()
    assert index is None or len(index.tasks) <= MOST_TASKS * max(1, len(index.counts))


@given(values)
def test_no_count_but_a_natural_number_is_taken(count: Json) -> None:
    index = listing(["train"], {"num_tasks": count}).index()
    assert index is not None
    natural = isinstance(count, int) and not isinstance(count, bool) and count >= 0
    assert index.counts == {"train": count if natural else None}
