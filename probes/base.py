"""What a probe sees, what it answers, and what it declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"

Rung: TypeAlias = Literal[
    "null", "blind", "reactive", "search", "learner", "panel", "model", "harness", "oracle"
]
"""How capable a probe is declared to be, weakest first. Together the rungs are the ladder; `panel`,
whose probes attack the reward, stands beside it."""


class Unplayable(Exception):
    """The probe has no action to offer here; the text says why.

    It ends that probe's episodes, never the run.
    """


class Stuck(Unplayable):
    """No action was found in this episode; others may go better.

    It ends this episode as failed, and no other.
    """


class Finished(Exception):
    """The probe has done what it came for and takes no further step; the episode is scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """What an agent is given before the first step."""

    action_schema: Json
    """The server's JSON Schema of an action, None where it gives none."""
    tools: tuple[Mapping[str, Json], ...] | None
    """Listed tools (`name`, `description`, `input_schema`), None where there is no listing."""
    noop: Json = None
    """The author's declared action that does nothing, None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What an agent sees when it must act."""

    observation: Json
    step: int
    """0 for the first action of the episode."""
    reward: float | None = None
    """Reward of the last step; None on the first, and where there was no number."""
    error: str | None = None
    """Text of the error that answered the last action; the observation is then the old one."""
    aside: Json = None
    """Metadata that came beside the observation. An agent is not meant to see it: only the probe
    that looks for what leaks does."""


class Agent(Protocol):
    """A probe playing one episode."""

    def act(self, seen: Seen) -> Json:
        """Return the next action.

        Raises:
            Unplayable: there is none.
            Stuck: there is none in this episode.
            Finished: none is wanted any more.
        """
        ...


@runtime_checkable
class SlowAgent(Protocol):
    """A probe playing one episode whose actions take time, since a model or a command gives them.

    Other sessions are served meanwhile.
    """

    async def act(self, seen: Seen) -> Json:
        """Return the next action; raises what `Agent.act` raises."""
        ...

    async def close(self) -> None:
        """Free what the episode held. Called once when it has ended, however it ended."""
        ...


@runtime_checkable
class Hearer(Protocol):
    """An agent that also wants to see what its last action brought, after which it cannot act."""

    async def over(self, seen: Seen) -> None:
        """Take in what was seen when the episode was over.

        Called before `close`, and only where the episode came to its end.
        """
        ...


AnyAgent: TypeAlias = Agent | SlowAgent


class Probe(Protocol):
    """A versioned agent of declared capability. One instance plays many episodes at once."""

    name: str
    version: str
    """Changes whenever the same seed would act differently."""
    rung: Rung
    """Probes of `null` and `blind` do not look at the task: what they earn is the floor."""

    def begin(self, lane: Lane, rng: np.random.Generator) -> AnyAgent:
        """Start an episode; all randomness of it comes from `rng`."""
        ...
