"""Changes of an environment that must change no verdict: order, names, an added constant."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from validator.client.limits import Limits
from validator.client.session import Session
from validator.targets.base import About, Server, Target

Document = dict[str, Any]
SHIFT = 0.5
"""A power of two, so that no sum is rounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is done to everything that is sent and received, and to what is declared."""

    sent: Callable[[Document], Document] = lambda message: message
    received: Callable[[Document], Document] = lambda message: message
    declared: Callable[[Document], Document] = lambda manifest: manifest
    about: Callable[[About], About] = lambda about: about
    after_end: bool = True
    """What comes after the end of an episode is changed, too."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A target seen through a change."""

    target: Target
    change: Change

    @asynccontextmanager
    async def open(self, limits: Limits) -> AsyncIterator["_Server"]:
        """Open it, changed."""
        async with self.target.open(limits) as server:
            yield _Server(server, self.change)


@dataclass(frozen=True, slots=True)
class _Server:
    server: Server
    change: Change

    @property
    def about(self) -> About:
        return self.change.about(self.server.about)

    async def session(self) -> Session:
        session = await self.server.session()
        session._wire = _Wire(session._wire, self.change)
        return session


@dataclass(slots=True)
class _Wire:
    wire: Any
    change: Change
    over: bool = False

    async def exchange(self, text: str, *, seconds: float, operation: str) -> str:
        sent = _rewritten(text, self.change.sent)
        if text.startswith('{"type": "reset"'):
            self.over = False
        received = await self.wire.exchange(sent, seconds=seconds, operation=operation)
        if self.over and not self.change.after_end:
            return str(received)
        changed = _rewritten(received, self.change.received)
        self.over = self.over or '"done": true' in changed
        return changed

    async def close(self) -> None:
        await self.wire.close()

    async def drop(self) -> None:
        await self.wire.drop()


def _rewritten(text: str, change: Callable[[Document], Document]) -> str:
    message = json.loads(text)
    return json.dumps(change(message)) if isinstance(message, dict) else text


# Fields in another order.


def backwards(value: Any) -> Any:
    """Return a JSON value with the members of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [backwards(one) for one in value]
    return value


def reordered() -> Change:
    """Return the change that sends fields backwards, in what arrives and in the schemas."""
    return Change(
        received=backwards,
        about=lambda about: replace(
            about,
            action_schema=backwards(about.action_schema),
            observation_schema=backwards(about.observation_schema),
        ),
    )


# Tasks under other names.


def renamed(option: str) -> Change:
    """Return the change that calls the declared tasks of a reset argument otherwise."""

    def old(name: Any) -> Any:
        return name.removeprefix("level-") if isinstance(name, str) else name

    def sent(message: Document) -> Document:
        data = message.get("data")
        if message.get("type") == "reset" and isinstance(data, dict) and option in data:
            return message | {"data": data | {option: old(data[option])}}
        return message

    def declared(manifest: Document) -> Document:
        block = manifest["envassay"]
        names = [f"level-{name}" for name in block["tasks"]["ids"]]
        tasks = block["tasks"] | {"ids": names}
        return manifest | {"envassay": block | {"tasks": tasks}}

    return Change(sent=sent, declared=declared)


# Rewards shifted with their range.


def shifted(by: float = SHIFT) -> Change:
    """Return the change that adds a constant to every reward of a step, and to the range.

    The score of an episode moves alike only where episodes have one step. What a step after the
    end pays is nothing, and stays so.
    """

    def received(message: Document) -> Document:
        data = message.get("data")
        paid = data.get("reward") if isinstance(data, dict) else None
        if message.get("type") != "observation" or not _is_number(paid):
            return message
        assert isinstance(data, dict)
        return message | {"data": data | {"reward": paid + by}}

    def moved(span: Any) -> Any:
        return [end + by for end in span]

    def declared(manifest: Document) -> Document:
        block = dict(manifest["envassay"])
        for name in ("score_range", "success_threshold"):
            if name in block:
                found = block[name]
                block[name] = moved(found) if isinstance(found, list) else found + by
        changed = manifest | {"envassay": block}
        if "validation" in manifest:
            reward = manifest["validation"]["reward"]
            reward = reward | {"range": moved(reward["range"])}
            changed["validation"] = manifest["validation"] | {"reward": reward}
        return changed

    return Change(received=received, declared=declared, after_end=False)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def one_step(manifest: Mapping[str, Any]) -> bool:
    """Say whether an environment's author declares episodes of one step."""
    return bool(manifest["envassay"].get("horizon") == 1)
