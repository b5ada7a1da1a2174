"""What a target offers: say what it is, open sessions."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

from validator.client.frames import Json
from validator.client.limits import Limits
from validator.client.session import Session
from validator.client.starting import Waited


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool of a tool environment, as listed."""

    name: str
    description: str
    input_schema: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One way to start an episode: extra arguments of reset."""

    id: str
    """Stable name in reports: `split/index` for served tasks, the manifest's id otherwise."""
    options: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskIndex:
    """The tasks a server lists."""

    counts: Mapping[str, int | None]
    """Number of tasks by split; None where the server could not say."""
    tasks: tuple[Task, ...]
    """The first tasks of each split, in order, at most the number asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a server says of itself, before any episode. Nothing of it is believed yet."""

    url: str
    """Base address as used: scheme, host, port, path; no user name, password or query."""
    driver: str
    """How it is spoken to: `websocket`."""
    name: str
    """Its own name, or the host where it gives none."""
    description: str = ""
    version: str = ""
    action_schema: Json = None
    observation_schema: Json = None
    state_schema: Json = None
    tools: tuple[Tool, ...] | None = None
    """None where the server has no tool listing; empty where it lists none."""
    tasks: TaskIndex | None = None
    """None where the server has no task routes."""
    documents: Mapping[str, Json] = field(default_factory=dict)
    """Raw discovery answers by route, as parsed; a route that failed holds its fault as text."""
    fingerprint: str = ""
    """sha256 over schema, metadata, tools and tasks, as canonical JSON."""
    telling: Mapping[str, Json] = field(default_factory=dict)
    """What the fingerprint is taken of, by part."""
    waited: Waited = field(default_factory=Waited)
    """How long it was not up when it was first asked."""

    @property
    def parts(self) -> dict[str, str]:
        """Return the fingerprint of each part."""
        return {name: fingerprint_of(value) for name, value in self.telling.items()}


def fingerprint_of(value: Json) -> str:
    """Return the sha256 of a value as canonical JSON."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Server(Protocol):
    """A reached target: what it says of itself, and sessions on it."""

    @property
    def about(self) -> About: ...

    async def session(self) -> Session:
        """Open a session.

        Raises:
            SessionFault: it could not be opened. A server at capacity may only say so in
                its answer to the first frame, so `Refused` can come from there as well.
        """
        ...


class Target(Protocol):
    """Something that can be validated."""

    def open(self, limits: Limits) -> AbstractAsyncContextManager[Server]:
        """Reach the target and read what it says of itself.

        Raises:
            TargetError: nothing usable there.
        """
        ...
