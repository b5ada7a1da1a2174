"""Where an episode begins, and a fixed way on from there."""

from dataclasses import dataclass

from validator.client.frames import Json
from validator.targets.base import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One way an episode can begin: a task and a seed."""

    task: Task
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A fixed list of actions from a fixed start."""

    id: str
    """Where it comes from, `oracle/3`; a variant of it says what was changed: `oracle/3~cut`."""
    start: Start
    actions: tuple[Json, ...]
