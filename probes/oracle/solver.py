"""Plays what the author's own function answers, seen through the agent's lane."""

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from probes.base import Finished, Json, Seen, Unplayable

Solve: TypeAlias = Callable[[Any, Any, int], Any]
"""Takes observation, reset arguments and step (0 for the first action of the episode), and
returns an action; None where it is done."""

LONGEST = 200
"""Characters of a fault's text that are kept."""


class Solver:
    """An agent that asks a function at each step; the function sees no more than an agent."""

    def __init__(self, solve: Solve, task: Mapping[str, Json]) -> None:
        self._solve = solve
        self._task = dict(task)

    def act(self, seen: Seen) -> Json:
        """Return the function's action.

        Raises:
            Finished: it returned None.
            Unplayable: it raised, or returned what is no JSON.
        """
        name = getattr(self._solve, "__name__", "the oracle")
        try:
            found = self._solve(
                copy.deepcopy(seen.observation), copy.deepcopy(self._task), seen.step
            )
        except Exception as fault:
            told = " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST]
            raise Unplayable(f"{name} raised {told} at step {seen.step}") from fault
        if found is None:
            raise Finished
        try:
            action: Json = json.loads(json.dumps(found))
        except (TypeError, ValueError, RecursionError) as fault:
            kind = type(found).__name__
            raise Unplayable(
                f"{name} returned a {kind} at step {seen.step}, which is no JSON"
            ) from fault
        return action
