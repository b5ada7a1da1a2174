"""Chooses the tasks and seeds that episodes begin from."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from validator.client.frames import Json
from validator.manifest import Manifest, Tasks
from validator.rollouts.start import Start
from validator.seeds import start_seeds
from validator.targets.base import Task, TaskIndex

SEED_ALONE = Task(id="-", options={})
"""Where nothing else chooses the task."""
MOST_LISTED = 24
"""Listed tasks that are tried one by one."""
MOST_SPLITS = 3
"""Splits past whose end is asked."""
NO_TASK = "no-such-task"

T = TypeVar("T")


def choose_starts(
    manifest: Manifest, served: TaskIndex | None, count: int, seed: int
) -> list[Start]:
    """Return up to `count` starts: of the declared tasks, of the served ones, or seeds alone.

    Declared tasks win over served ones. Where there are more tasks than `count`, the first
    ones are taken, split by split in turn; where there are fewer, they come again with
    other seeds only if the seed alone would choose among them.
    """
    tasks = _declared(manifest.envassay.tasks, count)
    if tasks is None and served is not None and served.tasks:
        tasks = list(served.tasks[:count])
    if tasks is None:
        return [Start(task=SEED_ALONE, seed=value) for value in start_seeds(seed, count)]
    seeds = start_seeds(seed, len(tasks))
    return [Start(task=task, seed=value) for task, value in zip(tasks, seeds, strict=True)]


def listed_tasks(manifest: Manifest, served: TaskIndex | None) -> tuple[Task, ...]:
    """Return the tasks that are declared to be there, else those that the server lists.

    Of more than `MOST_LISTED` as many are chosen, spread evenly over the list, the first and the
    last one among them. Empty where there is no list, or where it is declared to have no end.
    """
    tasks = manifest.envassay.tasks
    if tasks is not None and tasks.select is not None:
        names = _names(tasks)
        chosen = _spread_to_the_end(names)
        return tuple(Task(id=str(name), options=_fill(tasks.select, name)) for name in chosen)
    return _spread_to_the_end(served.tasks) if served is not None else ()


def unlisted_tasks(manifest: Manifest, served: TaskIndex | None) -> tuple[Task, ...]:
    """Return tasks that should not be there, to see whether a server refuses them.

    Of declared ids: the two numbers after the largest one, and an unknown name where ids are texts.
    Of served splits: the two indices past the end of each of the first splits, and, where there are
    several splits, a split of an unknown name.
    """
    tasks = manifest.envassay.tasks
    if tasks is not None and tasks.select is not None:
        names = _names(tasks)
        numbers = [name for name in names if isinstance(name, int)]
        beyond: list[str | int] = [max(numbers) + 1, max(numbers) + 2] if numbers else []
        if len(numbers) < len(names):
            beyond.append(NO_TASK)
        return tuple(Task(id=str(name), options=_fill(tasks.select, name)) for name in beyond)
    counts = {} if served is None else served.counts
    past = [
        Task(id=f"{split}/{count + more}", options={"split": split, "index": count + more})
        for split, count in list(counts.items())[:MOST_SPLITS]
        if count
        for more in (0, 1)
    ]
    nowhere = Task(id=f"{NO_TASK}/0", options={"split": NO_TASK, "index": 0})
    return (*past, nowhere) if past and len(counts) > 1 else tuple(past)


def _names(tasks: Tasks) -> list[str | int]:
    """Return the ids that are declared; none where their number is not."""
    if tasks.ids is not None:
        return list(tasks.ids)
    return list(range(tasks.count)) if isinstance(tasks.count, int) else []


def _spread_to_the_end(items: Sequence[T]) -> tuple[T, ...]:
    last = len(items) - 1
    if last < MOST_LISTED:
        return tuple(items)
    return tuple(items[place * last // (MOST_LISTED - 1)] for place in range(MOST_LISTED))


def _declared(tasks: Tasks | None, count: int) -> list[Task] | None:
    if tasks is None or tasks.select is None:
        return None
    ids = _names(tasks) or list(range(count))
    return [Task(id=str(name), options=_fill(tasks.select, name)) for name in ids[:count]]


def _fill(select: Mapping[str, Json], name: str | int) -> dict[str, Json]:
    """Put a task's id into the reset arguments; a value that is just `{task}` keeps its type."""
    return {key: _filled(value, name) for key, value in select.items()}


def _filled(value: Json, name: str | int) -> Json:
    if value == "{task}":
        return name
    if isinstance(value, str):
        return value.replace("{task}", str(name))
    if isinstance(value, dict):
        return {key: _filled(inner, name) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, name) for inner in value]
    return value
