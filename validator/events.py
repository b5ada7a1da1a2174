"""What can happen in a run, as values."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from validator.episodes import Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a run."""

    at: float = field(default_factory=time.time)
    """Wall clock, seconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached(Event):
    """The target answered and said what it is."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlanned(Event):
    """A round is planned; `kept` of its episodes were there from an earlier run."""

    planned: int
    kept: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodesTaken(Event):
    """Episodes of an earlier run were taken instead of being played, and are on disk."""

    episodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeEnded(Event):
    """One episode reached its outcome and is on disk."""

    episode: Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsChanged(Event):
    """The number of sessions in use rose, or the server refused one more."""

    open: int
    refused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutsStopped(Event):
    """No more episodes are run; `why` is empty where the plan was finished."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerLost(Event):
    """A listener raised and is told nothing more."""

    name: str
    why: str


Listener: TypeAlias = Callable[[Event], None]


class Audience:
    """Tells every listener what happened, and survives each of them.

    A broken progress bar must not cost a run: a listener that raises is dropped, and its
    loss is told to the others.
    """

    def __init__(self, listeners: Iterable[Listener] = ()) -> None:
        self._listening = list(listeners)

    def tell(self, event: Event) -> None:
        for listener in tuple(self._listening):
            try:
                listener(event)
            except Exception as fault:
                self._listening.remove(listener)
                name = getattr(listener, "__name__", type(listener).__name__)
                self.tell(ListenerLost(name=name, why=f"{type(fault).__name__}: {fault}"))
