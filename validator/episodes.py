"""Step, outcome, episode: the record of one rollout."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from validator.client.frames import Frame, Json
from validator.client.reading import Reward

Condition: TypeAlias = Literal["fresh", "reused", "loaded", "watched", "overrun", "long"]
"""How a replay is played.

- `fresh`: as the first episode of its session.
- `reused`: as a later episode of its session.
- `loaded`: while all other sessions are busy.
- `watched`: with the state read before every step.
- `overrun`: with further steps after the end.
- `long`: up to the most steps that the run allows, even where other episodes are cut sooner.
"""

Part: TypeAlias = Literal["", "explore", "train", "after", "control", "new"]
"""What an episode is for in a campaign; empty for an episode of no campaign.

- `explore`: a search looks for the best score on one start.
- `train`: a learner plays to learn from it.
- `after`: the learner plays with what it has learned, and is scored.
- `control`: a learner that has learned nothing plays beside it, and is scored.
- `new`: a second learner plays to learn, on another start each time.
"""

LEARNING: frozenset[Part] = frozenset({"explore", "train", "new"})
"""Parts that a campaign learns from. Such episodes depend on those before them, and so are never
counted as independent draws."""

Boundary: TypeAlias = Literal["timeout", "refused", "error"]
"""Which column of the ledger a failed episode stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeKey:
    """The address of one episode in a run."""

    task: str
    """Id of the task; `-` where the seed alone chooses it."""
    seed: int | None
    probe: str
    repeat: int
    """Draw of the probe: another repeat acts differently."""
    scripted: bool = False
    """The probe draws the same numbers whatever the task and seed, so that episodes of
    different seeds can be compared; else its draws belong to this task and seed."""
    replay: int = 0
    """0 for the episode itself, k for its k-th exact repetition: same seed, same draws."""
    condition: Condition = "fresh"
    """Of a replay: how it is played."""
    walk: str = ""
    """Id of the trajectory that is walked; empty where a probe decides. `probe` is then
    `trajectory`."""
    campaign: Part = ""
    """Its part in a campaign; `repeat` is then its number in that part."""

    @property
    def path(self) -> str:
        """Return the stable name used in findings and files."""
        seed = "none" if self.seed is None else self.seed
        script = "script-" if self.scripted else f"{self.campaign}-" if self.campaign else ""
        mark = "" if self.replay == 0 else f"/{self.condition}-replay-{self.replay}"
        who = f"{self.probe}/{self.walk}" if self.walk else f"{self.probe}/{script}{self.repeat}"
        return f"{self.task}/seed-{seed}/{who}{mark}"

    @property
    def draws(self) -> tuple[str | int, ...]:
        """Return the place of the probe's random numbers: the same for every replay."""
        if self.scripted:
            return ("draws", "script", self.probe, self.repeat)
        seed = "none" if self.seed is None else self.seed
        return ("draws", self.task, seed, self.probe, self.repeat)

    @property
    def original(self) -> "EpisodeKey":
        """Return the key of the episode that this one repeats, itself where it repeats none."""
        return replace(self, replay=0, condition="fresh")


@dataclass(frozen=True, slots=True)
class Scored:
    """The episode has a score: its rewards made one number by the declared rule."""

    score: float


@dataclass(frozen=True, slots=True)
class Absent:
    """The environment answered, but paid nothing where a reward was due."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The episode could not be completed; says nothing about the task."""

    boundary: Boundary
    why: str


Outcome: TypeAlias = Scored | Absent | Failed


class Step(NamedTuple):
    """One action and what came back."""

    action: Json
    observation: Json
    metadata: Json
    reward: Reward
    done: bool | None
    error: str | None
    """Text of the error frame that answered the action; the other fields are then empty."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One rollout, from reset to exactly one outcome."""

    key: EpisodeKey
    position: int
    """Number of episodes its session had played before."""
    session: int = 0
    """Number of its session in the run, from 1; 0 where none was had."""
    outcome: Outcome
    ended: Literal["done", "left", "step_cap", "failed"]
    """How it stopped: the environment said done, the probe had finished, our own cap, or a
    failure."""
    start: Mapping[str, Json] | None
    """Envelope of the reset answer; None where no reset succeeded."""
    unplayable: str = ""
    """Why the probe had no action to offer, where that ended the episode."""
    steps: tuple[Step, ...]
    last: bool = False
    """Its campaign has learned all it could, and no further episode of it is begun to learn."""
    after: tuple[Step, ...] = ()
    """Steps taken after the end, where the condition asked for them; never part of the score."""
    frames: tuple[Frame, ...]
    open_seconds: float | None
    """Time to open the session, where this episode opened it."""
    reset_seconds: float | None
    seconds: float
