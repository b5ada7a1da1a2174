"""Which episodes a check may ask for, as data."""

import math
from dataclasses import dataclass, field

from probes.base import Rung
from validator.episodes import Condition
from validator.rollouts.start import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a search or a learner may spend on one campaign (see `probes.campaign`)."""

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
    """What the author declares to earn no more than probes that do not look at the task."""
    looks: tuple[Trajectory, ...] = ()
    """Starts whose answers the author declares, with nothing done there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Episodes that a check asks the planner for, in one of three forms.

    - Draws: where `rung` is given. The first probe of the rung plays each of the first `starts`
      starts `repeats` times. Its other probes play them, too, at most twice each; where replays
      or scripts are asked for, only the first one plays.
    - A campaign: where `campaign` is given as well. Every search or learner of the rung has one.
    - Walks: each trajectory of `walks` is played once, whatever `starts` says.

    Each draw and each walk is also repeated exactly, `replays` times. How much of a need is played
    before a run may stop is said by `validator.rollouts.looks`.
    """

    rung: Rung | None = None
    probes: tuple[str, ...] = ()
    """Only these probes of the rung; all of them where none is named."""
    starts: int = 0
    repeats: int = 1
    scripted: bool = False
    """Same draws on every start, see `EpisodeKey.scripted`."""
    walks: tuple[Trajectory, ...] = field(default=())
    """Trajectories to walk, whatever the budget's starts."""
    campaign: Effort | None = None
    """What each search or learner of the rung may spend. Where it is given, only these play; where
    it is not, only the other probes do."""
    replays: int = 0
    condition: Condition = "fresh"
    """How the replays are played."""
    priority: int = 1
    """Lower is planned first when the budget cannot hold all."""
    deep: int | None = None
    """Number of starts, from the first one on, on which the first probe of the rung plays all
    repeats; on the others it plays one. Where None it plays all repeats on every start."""
    wide: int = 0
    """Where `deep` is given: number of starts on which each other probe of the rung plays one
    episode."""
    whole: bool = False
    """A part of it would be of no use: all of it is played at the first look that asks for it."""
