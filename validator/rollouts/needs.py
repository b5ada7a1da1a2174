"""What a check may ask for, as data."""

import math
from dataclasses import dataclass, field

from probes.base import Rung
from validator.episodes import Condition
from validator.rollouts.start import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a probe that goes on over episodes may spend on one campaign."""

    starts: int
    """Starts that are learned on."""
    episodes: int
    """Episodes to learn from, over all these starts together."""
    steps: int
    """Steps in all of them after which no further one is begun."""
    seconds: float = math.inf
    """Time after which none is begun to learn from: reached only where an environment is slow."""
    each: bool = False
    """A campaign of its own for each start, with that many episodes and steps, instead of one
    over all of them."""
    held_out: int = 0
    """Further starts that what was learned is scored on."""
    tries: int = 0
    """Episodes on each start for every scoring."""
    new: int = 0
    """Episodes of a further campaign that has a new start for each, as far as there are so many:
    what it learns there it cannot know by heart."""


NO_EFFORT = Effort(starts=0, episodes=0, steps=0)


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
    search: Effort = NO_EFFORT
    """What a search may spend on each start."""
    learner: Effort = NO_EFFORT
    """What a learner may spend."""
    solutions: tuple[Trajectory, ...] = ()
    """What the author declares to solve its task; empty where nothing is declared."""
    hacks: tuple[Trajectory, ...] = ()
    """What the author declares to be worth no more than the floor."""
    looks: tuple[Trajectory, ...] = ()
    """Starts whose answers the author declares, with nothing done there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Episodes a check asks the planner for.

    Either `starts` x `repeats` x (1 + `replays`) episodes of the first probe of a rung, with two
    draws at most on each start for its others and no replays or scripts for them, or a campaign
    of every one that goes on over episodes, or each of `walks` (1 + `replays`) times. What is
    played of it at an early look is said by `validator.rollouts.looks`.
    """

    rung: Rung | None = None
    probes: tuple[str, ...] = ()
    """Only these of the rung; all where none are named."""
    starts: int = 0
    repeats: int = 1
    scripted: bool = False
    """Same draws on every start, see `EpisodeKey.scripted`."""
    walks: tuple[Trajectory, ...] = field(default=())
    """Trajectories to walk, whatever the budget's starts."""
    campaign: Effort | None = None
    """What those probes of the rung may spend that go on over episodes; only these play then, and
    without it only the others."""
    replays: int = 0
    condition: Condition = "fresh"
    """How the replays are played."""
    priority: int = 1
    """Lower is planned first when the budget cannot hold all."""
    deep: int | None = None
    """Starts on which the first probe of the rung plays all repeats; one on those after them. None
    plays all everywhere."""
    wide: int = 0
    """Where `deep` is given: starts on which each other probe of the rung plays one episode."""
    whole: bool = False
    """It is of no use in part, and is played as it is at the first look that asks for it."""
