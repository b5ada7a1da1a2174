"""From raw frame to observation, reward and end; null, missing and non-finite stay apart."""

import json
import math
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from validator.client.frames import Json, parse

LARGEST = 1e90
"""Size beyond which a reward is no number: the squares of sums of such would be infinite, and no
trainer in single precision, which ends at 3e38, could hold one."""


@dataclass(frozen=True, slots=True)
class Number:
    """A JSON number of at most 1e90, with its type kept: 1 and 1.0 are different on the wire."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Null:
    """The key is there and holds null. A NaN of the environment arrives so, too."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The key is not there."""


@dataclass(frozen=True, slots=True)
class NotANumber:
    """The key holds something that is no finite number: a boolean, a text, NaN, a list.

    A finite one beyond `LARGEST` counts as such, and `found` says so.
    """

    found: str
    """What it holds, as JSON text, cut at 80 characters."""


NULL, MISSING = Null(), Missing()

Reward: TypeAlias = Number | Null | Missing | NotANumber


class Observed(NamedTuple):
    """An observation frame."""

    observation: Json
    reward: Reward
    done: bool | None
    """None where the key is missing or is no boolean."""
    metadata: Json
    """Top-level metadata where the server sends it, else None."""
    envelope: dict[str, Json]
    """The frame's `data` as parsed: what the fields above were read from."""


@dataclass(frozen=True, slots=True)
class StateRead:
    """A state frame."""

    state: Json


@dataclass(frozen=True, slots=True)
class McpRead:
    """An answer to a frame of type mcp: a JSON-RPC body."""

    body: Json


@dataclass(frozen=True, slots=True)
class ErrorRead:
    """An error frame."""

    code: str
    message: str
    errors: Json
    """Details where the server gives them (a validation error lists its fields)."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A frame that is none of the above."""

    why: str


Reading: TypeAlias = Observed | StateRead | McpRead | ErrorRead | Unreadable


def read(text: str) -> Reading:
    """Say what one received frame is, changing nothing in it."""
    try:
        frame = parse(text)
    except ValueError as fault:
        return Unreadable(f"invalid JSON ({str(fault)[:120]})")
    if not isinstance(frame, dict):
        return Unreadable("the frame is no JSON object")
    kind, data = frame.get("type"), frame.get("data")
    if kind == "mcp":
        return McpRead(data)
    if not isinstance(data, dict):
        return Unreadable(f"a frame of type {_short(kind)} whose data is no object")
    match kind:
        case "observation":
            return _observed(data)
        case "state":
            return StateRead(data)
        case "error":
            return _error(data)
    return Unreadable(f"unknown frame type {_short(kind)}")


def read_reward(envelope: dict[str, Json]) -> Reward:
    """Read the reward of an observation envelope."""
    if "reward" not in envelope:
        return MISSING
    found = envelope["reward"]
    if found is None:
        return NULL
    if isinstance(found, int | float) and not isinstance(found, bool):
        if -LARGEST <= found <= LARGEST:
            return Number(found)
        return NotANumber(_beyond(found))
    return NotANumber(_short(found))


def _beyond(number: int | float) -> str:
    if isinstance(number, int):
        return f"an integer of {number.bit_length()} bits, beyond {LARGEST:g}"
    text = _short(number)
    return f"{text}, beyond {LARGEST:g}" if math.isfinite(number) else text


def _observed(data: dict[str, Any]) -> Observed:
    done = data.get("done")
    return Observed(
        observation=data.get("observation"),
        reward=read_reward(data),
        done=done if isinstance(done, bool) else None,
        metadata=data.get("metadata"),
        envelope=data,
    )


def _error(data: dict[str, Any]) -> ErrorRead:
    return ErrorRead(
        code=_text(data, "code"),
        message=_text(data, "message"),
        errors=data.get("errors"),
    )


def _text(data: dict[str, Any], key: str) -> str:
    """Return a text, the JSON of what stands in its place, or nothing where nothing does."""
    found = data.get(key, "")
    return found if isinstance(found, str) else _short(found)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 80 else text[:77] + "..."
