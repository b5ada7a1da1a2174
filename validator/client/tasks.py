"""Reads which tasks a server lists.

The routes are those of openenv 0.4.2 and later. The server makes a fresh environment for each
of these calls, so only the first tasks are read.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from validator.client.frames import Json
from validator.targets.base import Task, TaskIndex

Fetch = Callable[[str, Json], Awaitable[Json]]
"""Asks a route, with a body or (None) without; None where it has no usable answer."""

MOST_SPLITS = 8
MOST_TASKS = 1000
"""Tasks named per split; a task is named without asking where the server counts them."""
READ_TASKS = 4
"""Tasks of a split whose text is read, as a part of the fingerprint."""


async def read_task_index(fetch: Fetch) -> TaskIndex | None:
    """Return the tasks a server lists, None where it has no task routes or no splits.

    The tasks come split by split in turn, so that the first few are of every split.
    """
    names = await fetch("/list_environments", None)
    name = names[0] if isinstance(names, list) and names else None
    if not isinstance(name, str) or not name:
        return None
    base = f"/{quote(name[:200], safe='')}"
    splits = await fetch(f"{base}/splits", None)
    if not isinstance(splits, list):
        return None
    counts: dict[str, int | None] = {}
    tasks: dict[tuple[int, str], Task] = {}
    for split in _names(splits):
        counts[split] = _count(await fetch(f"{base}/num_tasks", {"split": split}))
        read = await _confirmed(fetch, base, split, counts[split])
        most = read if counts[split] is None else min(counts[split] or 0, MOST_TASKS)
        tasks |= {(index, split): _task(split, index) for index in range(most)}
    order = {split: place for place, split in enumerate(counts)}
    in_turn = sorted(tasks, key=lambda key: (key[0], order[key[1]]))
    return TaskIndex(counts=counts, tasks=tuple(tasks[key] for key in in_turn))


async def _confirmed(fetch: Fetch, base: str, split: str, count: int | None) -> int:
    """Read the first tasks of a split and return how many were there."""
    most = READ_TASKS if count is None else min(count, READ_TASKS)
    for index in range(most):
        body: Json = {"split": split, "index": index}
        if await fetch(f"{base}/task", body) is None:
            return index
    return most


def _names(splits: list[Json]) -> list[str]:
    names = [split.get("name") if isinstance(split, dict) else split for split in splits]
    usable = [name for name in names if isinstance(name, str) and name]
    return list(dict.fromkeys(usable))[:MOST_SPLITS]


def _count(answer: Json) -> int | None:
    count = answer.get("num_tasks") if isinstance(answer, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def _task(split: str, index: int) -> Task:
    return Task(id=f"{split}/{index}", options={"split": split, "index": index})
