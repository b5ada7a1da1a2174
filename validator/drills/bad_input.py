"""Sends what no client should send, each message a JSON object, and sees who survives."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from probes.base import Finished, Seen, Unplayable
from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.reading import ErrorRead, McpRead, Observed, Reading
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.playing import Turns, agent_of, begin
from validator.schemas import Shape, TooMuch, names, read_schema

WRONG: Json = {"envassay": []}
"""In the place of a text, a number or a choice: no server may take it for one."""
MOST_FIELDS = 6
LONGEST_SHOWN = 300
SPEAKS_OF_ERRORS = (
    "error", "invalid", "illegal", "unknown", "not allowed", "must ", "cannot", "refused",
)  # fmt: skip


class BadInput:
    """Malformed messages and actions that the server's own schema forbids.

    A frame that is no JSON object is not sent: what the stock server does with it is known.
    """

    name: ClassVar[str] = "bad_input"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return what was sent, what came back, and whether a session and the server live on."""
        tried: list[Json] = []
        facts: dict[str, Json] = {"tried": tried, "played_before": False, "played_after": None}
        messages = _messages(ground)
        while messages:
            try:
                async with ground.session() as session:
                    facts["played_before"] = await _plays(ground, session)
                    while messages:
                        message, forbidden = messages.pop(0)
                        tried.append(
                            {"sent": _shown(message), "forbidden": forbidden, "answer": "none"}
                        )
                        answer = _answer(await session.say(message))
                        tried[-1] = {**_of(tried[-1]), **answer}
                    facts["played_after"] = await _plays(ground, session)
            except SessionFault as fault:
                if not tried:
                    raise
                tried[-1] = {**_of(tried[-1]), "fault": str(fault)[:LONGEST_SHOWN]}
                facts["server_lives"] = await _server_lives(ground)
                if not facts["server_lives"] or _ends(tried) >= 2:
                    return facts
        return facts


def _of(entry: Json) -> dict[str, Json]:
    return entry if isinstance(entry, dict) else {}


def _ends(tried: list[Json]) -> int:
    return sum("fault" in _of(entry) for entry in tried)


async def _plays(ground: Ground, session: Session) -> bool:
    """Say whether a session resets and answers a legal step with an observation."""
    agent = agent_of(ground, 0)
    for start in ground.starts[:2]:
        first = await begin(session, start)
        if first is None or agent is None:
            continue
        turns = Turns(session=session, agent=agent, seen=first)
        for _ in range(3):
            if isinstance(await turns.take(), Observed):
                return True
    return False


async def _server_lives(ground: Ground) -> bool:
    """Say whether another session can be had; what a session holds may be freed late."""
    import asyncio

    for pause in (0.0, 0.5, 2.0):
        await asyncio.sleep(pause)
        try:
            async with ground.session() as session:
                await begin(session, ground.starts[0])
        except SessionFault:
            continue
        return True
    return False


def _messages(ground: Ground) -> list[tuple[Json, bool]]:
    """Return what to send, each with whether it is an action that the schema forbids."""
    found: list[tuple[Json, bool]] = [
        ({"type": "envassay_no_such_type"}, False),
        ({"data": {}}, False),
        ({"type": "step"}, False),
        ({"type": "step", "data": None}, False),
    ]
    shape = read_schema(ground.server.about.action_schema)
    actions = [{}, *_broken(ground, shape)]
    for action in actions:
        message: Json = {"type": "step", "data": action}
        found.append((message, isinstance(shape, Shape) and _forbids(shape, action)))
    return found


def _broken(ground: Ground, shape: Any) -> list[dict[str, Json]]:
    """Return a legal action with one thing wrong at a time."""
    if not isinstance(shape, Shape):
        return []
    legal = _legal(ground)
    found: list[dict[str, Json]] = [
        {**legal, field: WRONG} for field in names(shape, "properties")[:MOST_FIELDS]
    ]
    found += [
        {key: value for key, value in legal.items() if key != field}
        for field in names(shape, "required")[:MOST_FIELDS]
        if field in legal
    ]
    return [*found, {**legal, "envassay_no_such_field": 1}]


def _legal(ground: Ground) -> dict[str, Json]:
    agent = agent_of(ground, 1)
    try:
        action = agent.act(Seen(observation=None, step=0)) if agent else {}
    except (Unplayable, Finished):
        action = {}
    return action if isinstance(action, dict) else {}


def _forbids(shape: Shape, action: Json) -> bool:
    try:
        return bool(shape.mismatches(action))
    except TooMuch:
        return False


def _answer(reading: Reading) -> dict[str, Json]:
    match reading:
        case ErrorRead(code=code, message=message):
            return {"answer": "error", "code": code[:80], "message": message[:LONGEST_SHOWN]}
        case Observed(envelope=envelope):
            told = json.dumps(envelope, ensure_ascii=False)[:20_000].lower()
            speaks = any(word in told for word in SPEAKS_OF_ERRORS)
            return {"answer": "observation that speaks of an error" if speaks else "observation"}
        case McpRead():
            return {"answer": "mcp"}
    return {"answer": "unreadable"}


def _shown(message: Json) -> str:
    text = json.dumps(message)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."
