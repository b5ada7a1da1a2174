"""Where an episode begins, and a fixed way on from there."""

from dataclasses import dataclass

from probes.oracle.solver import Solve
from validator.client.frames import Json
from validator.targets.base import Task

VARIANT = "~"
"""Stands in a trajectory's id between where it comes from and what was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One way an episode can begin: a task and a seed."""

    task: Task
    seed: int | None

    @property
    def reset(self) -> dict[str, Json]:
        """Return the arguments of the reset that begins here."""
        seed = {} if self.seed is None else {"seed": self.seed}
        return {**self.task.options, **seed}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A way on from a fixed start: a fixed list of actions, or what a function answers."""

    id: str
    """Where it comes from, `oracle/3`; a variant of it says what was changed: `oracle/3~cut`."""
    start: Start
    actions: tuple[Json, ...]
    solve: Solve | None = None
    """The author's function, which decides instead of `actions` where it is given."""
