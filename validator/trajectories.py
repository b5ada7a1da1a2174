"""Declared trajectories: what an author's solutions and known hacks are, read from files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from probes.oracle.solver import Solve
from validator.client.frames import Json
from validator.errors import SettingsError
from validator.jsonlines import read_lines
from validator.manifest import Manifest
from validator.operator_code import load_function
from validator.rollouts.start import Start, Trajectory
from validator.targets.base import Task

T = TypeVar("T")

MOST_TRAJECTORIES = 10_000


def read_trajectories(path: Path, *, role: str) -> tuple[Trajectory, ...]:
    """Read a file with one JSON object a line: `{"reset": {...}, "actions": [{...}, ...]}`.

    Raises:
        SettingsError: it cannot be read, or a line is no trajectory; the line is named.
    """
    found: list[Trajectory] = []
    for number, line in read_lines(path):
        value = line if isinstance(line, Mapping) else {}
        reset, actions = value.get("reset", {}), value.get("actions")
        if not isinstance(reset, Mapping) or not isinstance(actions, list) or not actions:
            raise SettingsError(
                f"line {number} is no trajectory",
                where=str(path),
                do='Write {"reset": {...}, "actions": [{...}, ...]} on each line.',
            )
        name = f"{role}/{len(found)}"
        found.append(Trajectory(id=name, start=start_of_reset(reset, name), actions=tuple(actions)))
        if len(found) > MOST_TRAJECTORIES:
            raise SettingsError(
                f"holds more than {MOST_TRAJECTORIES} trajectories", where=str(path), do="Cut it."
            )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """What the author declares to solve its tasks; empty where nothing is declared."""

    trajectories: tuple[Trajectory, ...] = ()
    solve: Solve | None = None

    def solutions(self, starts: Sequence[Start], most: int = 20) -> tuple[Trajectory, ...]:
        """Return what to walk: at most `most` trajectories, the function on each start."""
        if self.solve is None:
            return spread(self.trajectories, most)
        return spread(self.trajectories, most) + tuple(
            Trajectory(
                id=f"oracle/{start.task.id}/{start.seed}", start=start, actions=(), solve=self.solve
            )
            for start in starts
        )


def declared_oracle(manifest: Manifest) -> Oracle:
    """Return the trajectories and the function that the author says solve the tasks.

    Raises:
        SettingsError: a file that the manifest names cannot be used.
    """
    block = manifest.envassay.oracle
    if block is None:
        return Oracle()
    return Oracle(
        trajectories=read_trajectories(manifest.folder / block.trajectories, role="oracle")
        if block.trajectories is not None
        else (),
        solve=load_function(manifest.folder, block.policy) if block.policy is not None else None,
    )


def declared_hacks(manifest: Manifest) -> tuple[Trajectory, ...]:
    """Return the trajectories that the author says must not beat the floor.

    Raises:
        SettingsError: the file that the manifest names cannot be used.
    """
    canaries = manifest.envassay.canaries
    if canaries is None:
        return ()
    return read_trajectories(manifest.folder / canaries, role="canary")


def start_of_reset(reset: Mapping[str, Json], name: str) -> Start:
    """Return the start that these reset arguments make; the seed among them is the seed."""
    options = {key: value for key, value in reset.items() if key != "seed"}
    seed = reset.get("seed")
    whole = seed if isinstance(seed, int) and not isinstance(seed, bool) else None
    return Start(task=Task(id=f"@{name}", options=options), seed=whole)


def spread(items: tuple[T, ...], most: int) -> tuple[T, ...]:
    """Return at most `most` items, spread evenly over the list: its tasks may stand in order.

    Example:
        >>> spread((0, 1, 2, 3, 4, 5), 3)
        (0, 2, 4)
    """
    if len(items) <= most:
        return items
    return tuple(items[place * len(items) // most] for place in range(most))


def spell(actions: tuple[Json, ...]) -> str:
    """Return actions as one line of JSON."""
    return json.dumps(list(actions), ensure_ascii=False)
