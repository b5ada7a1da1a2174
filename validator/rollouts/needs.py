"""What a check may ask for, as data."""

from dataclasses import dataclass

from probes.base import Rung
from validator.episodes import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much a budget allows, for checks to size their needs by."""

    starts: int
    """Starts (tasks, or seeds where the seed alone chooses the task)."""
    repeats: int
    """Draws of a random probe on each start; at least the group size where the budget allows."""
    replays: int
    """Exact repetitions of one episode, each on a fresh session."""
    replayed_starts: int
    """Starts on which replays are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Episodes a check asks the planner for: `starts` x `repeats` x (1 + `replays`)."""

    rung: Rung
    """Every selected probe of this rung."""
    starts: int
    repeats: int = 1
    scripted: bool = False
    """Same draws on every start, see `EpisodeKey.scripted`."""
    replays: int = 0
    condition: Condition = "fresh"
    """Of the replays: each on a session of its own, or as a later episode of one session."""
    priority: int = 1
    """Lower is planned first when the budget cannot hold all."""
