"""Probes whose episodes build on one another: a search, a learner."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np

from probes.base import Agent, Json, Lane, Probe


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a campaign is told before its first episode."""

    episodes: int
    """Most episodes to learn from."""
    steps: int
    """Steps in all of them after which no further one is begun."""
    longest: int
    """Most steps of one episode."""
    top: float | None
    """Score that cannot be beaten; None where nothing declares it."""
    score: Literal["sum", "last", "max"] = "sum"
    """How the rewards of an episode make its score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How an episode of a campaign came out."""

    score: float | None
    """None where it was not scored or failed."""
    reward: float | None
    """Of the last step; None where that was no number."""
    done: bool
    """The environment said that it was over."""
    observation: Json = None
    """What was seen when it was over, None where it did not come to that."""


class Campaign(Protocol):
    """A probe at work over episodes that are played one after the other."""

    @property
    def finished(self) -> bool:
        """Say whether further learning would gain nothing: no further episode is then begun."""
        ...

    def begin(self, start: str, *, learning: bool) -> Agent:
        """Return the agent of the next episode.

        Args:
            start: Name of the start that is played, equal for equal starts.
            learning: Whether the episode is there to be learned from. Where it is not, the agent
                plays as well as it has learned to, and learns nothing.
        """
        ...

    def ended(self, result: Result) -> None:
        """Take in how the episode begun last came out."""
        ...


@runtime_checkable
class Campaigner(Probe, Protocol):
    """A probe whose episodes build on one another. Its `begin` plays one that builds on none."""

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> Campaign:
        """Begin a campaign; all randomness of it comes from `rng`."""
        ...
