"""Chooses the tasks and seeds that episodes begin from."""

from collections.abc import Mapping

from validator.client.frames import Json
from validator.manifest import Manifest, Tasks
from validator.rollouts.start import Start
from validator.seeds import start_seeds
from validator.targets.base import Task, TaskIndex

SEED_ALONE = Task(id="-", options={})
"""Where nothing else chooses the task."""


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


def _declared(tasks: Tasks | None, count: int) -> list[Task] | None:
    if tasks is None or tasks.select is None:
        return None
    if tasks.ids is not None:
        ids: list[str | int] = list(tasks.ids)
    elif isinstance(tasks.count, int):
        ids = list(range(tasks.count))
    else:
        ids = list(range(count))
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
