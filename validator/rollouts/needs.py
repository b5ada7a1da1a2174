"""What a check may ask for, as data."""

from dataclasses import dataclass, field

from probes.base import Rung
from validator.episodes import Condition
from validator.rollouts.start import Trajectory


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
    solutions: tuple[Trajectory, ...] = ()
    """What the author declares to solve its task; empty where nothing is declared."""
    hacks: tuple[Trajectory, ...] = ()
    """What the author declares to be worth no more than the floor."""
    looks: tuple[Trajectory, ...] = ()
    """Starts whose answers the author declares, with nothing done there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Episodes a check asks the planner for.

    Either `starts` x `repeats` x (1 + `replays`) episodes of every selected probe of a rung, or
    each of `walks` (1 + `replays`) times.
    """

    rung: Rung | None = None
    starts: int = 0
    repeats: int = 1
    scripted: bool = False
    """Same draws on every start, see `EpisodeKey.scripted`."""
    walks: tuple[Trajectory, ...] = field(default=())
    """Trajectories to walk, whatever the budget's starts."""
    replays: int = 0
    condition: Condition = "fresh"
    """How the replays are played."""
    priority: int = 1
    """Lower is planned first when the budget cannot hold all."""
