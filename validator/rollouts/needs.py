"""What a check may ask for, as data."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Condition: TypeAlias = Literal["fresh", "reused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much a budget allows, for checks to size their needs by."""

    starts: int
    """Starts (tasks, or seeds where the seed alone chooses the task)."""
    repeats: int
    """Draws of a random probe on each start; at least the group size where the budget allows."""
    replays: int
    """Exact repetitions of one episode."""
    replayed_starts: int
    """Starts on which replays are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Episodes a check asks the planner for: `starts` x `repeats` x (1 + `replays`)."""

    probe: str
    """Name of a probe, or a rung (`rung:null`) for every selected probe of it."""
    starts: int
    repeats: int = 1
    replays: int = 0
    condition: Condition = "fresh"
    """Of the replays: each on a session of its own, or as a later episode of one session."""
    priority: int = 1
    """Lower is planned first when the budget cannot hold all."""
