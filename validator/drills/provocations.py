"""Sends legal actions that are likely to fail inside, and notes what a failure looks like."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from probes.base import Agent, Finished, Seen, Unplayable
from probes.oracle.solver import Solver
from probes.oracle.walk import Walk
from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.reading import Missing, Null, Number, Observed, Reading
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.calls import fields, shown
from validator.drills.playing import Turns, agent_of, begin
from validator.leaks import texts
from validator.rollouts.start import Start, Trajectory

MOST_STARTS = 3
MOST_VARIANTS = 10
LONG = "word " * 60
"""300 characters: far from what harms, more than a sentence."""
LARGE = 100_000
"""Beyond what a game counts to, and not so much that a server that allocates as told dies of it."""
FIXED = ("type", "tool_name")
"""Fields that say which action it is: another value is another action."""

_BREAKDOWN = re.compile(
    r"internal (?:server )?error|traceback|exception|out of (?:memory|space)|stack trace"
    r"|segmentation fault|crashed|fatal error",
    re.IGNORECASE,
)


class Provocations:
    """A long text, a negative and a large number in the place of each one of a legal action.

    One session a start: each is the first action of an episode. Where a solution is declared,
    the same is done once more with that solution played before each.
    """

    name: ClassVar[str] = "provocations"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return what each action got, and what it got after a solution was paid."""
        tried: list[Json] = []
        for number, start in enumerate(ground.starts[:MOST_STARTS]):
            agent = agent_of(ground, number)
            if agent is None:
                return {"tried": tried, "after_pay": []}
            try:
                async with ground.session() as session:
                    tried += await _provoke(ground, session, start, agent)
            except SessionFault as fault:
                tried.append({"what": "the session", "fault": str(fault)[:200]})
        return {"tried": tried, "after_pay": await _after_pay(ground)}


async def _provoke(
    ground: Ground, session: Session, start: Start, agent: Agent
) -> list[dict[str, Json]]:
    """Return the answers to an ordinary action and to each of its variants."""
    base = await _ordinary(session, start, agent)
    if base is None:
        return []
    found = []
    for what, action in [("as it is", base), *_variants(ground, base)][: MOST_VARIANTS + 1]:
        if await begin(session, start) is None:
            continue
        answer = _answer(await session.step(action))
        found.append({"what": what, "action": shown(action), "start": shown(start.reset), **answer})
    return found


async def _ordinary(session: Session, start: Start, agent: Agent) -> dict[str, Json] | None:
    seen = await begin(session, start)
    if seen is None:
        return None
    try:
        action = agent.act(Seen(observation=seen.observation, step=0))
    except (Unplayable, Finished):
        return None
    return action if isinstance(action, dict) else None


async def _after_pay(ground: Ground) -> list[Json]:
    """Return what variants of an action get on a new session, and after a solution was paid."""
    agent = agent_of(ground, 0)
    if not ground.solutions or agent is None:
        return []
    walk = ground.solutions[0]
    found: list[Json] = []
    try:
        async with ground.session() as session:
            base = await _ordinary(session, walk.start, agent)
        for what, action in [] if base is None else [*_variants(ground, base)][:MOST_VARIANTS]:
            async with ground.session() as session:
                await begin(session, walk.start)
                new = _answer(await session.step(action))
            async with ground.session() as session:
                paid = await _solve(ground, session, walk)
                await begin(session, walk.start)
                used = _answer(await session.step(action))
            found.append(
                {
                    "what": what,
                    "action": shown(action),
                    "start": shown(walk.start.reset),
                    "paid": paid,
                    "new": new,
                    "used": used,
                }
            )
    except SessionFault:
        return found
    return found


async def _solve(ground: Ground, session: Session, walk: Trajectory) -> float | None:
    """Play a solution and return its last reward."""
    seen = await begin(session, walk.start)
    if seen is None:
        return None
    solver: Agent = (
        Walk(walk.actions) if walk.solve is None else Solver(walk.solve, walk.start.reset)
    )
    turns = Turns(session, solver, seen)
    last: float | None = None
    for _ in range(ground.max_steps):
        reading = await turns.take()
        if reading is None:
            break
        if isinstance(reading, Observed) and isinstance(reading.reward, Number):
            last = float(reading.reward.value)
    return last


def _variants(ground: Ground, base: dict[str, Json]) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield an action with one member replaced; optional numbers that it lacks are added."""
    for name in fields(ground, "number"):
        if base.get(name) is None:
            yield f"{name} -1", base | {name: -1}
    for path, value in _members(base):
        name = ".".join(path)
        if isinstance(value, str):
            yield f"{name} of {len(LONG)} characters", _put(base, path, LONG)
        else:
            yield f"{name} -1", _put(base, path, -1)
            yield f"{name} {LARGE}", _put(base, path, LARGE)


def _members(
    value: Mapping[str, Json], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str | int | float]]:
    for name, inner in value.items():
        if isinstance(inner, dict):
            yield from _members(inner, (*path, name))
        elif type(inner) in (str, int, float) and (path or name not in FIXED):
            assert isinstance(inner, str | int | float)
            yield (*path, name), inner


def _put(value: dict[str, Json], path: tuple[str, ...], new: Json) -> dict[str, Json]:
    if len(path) == 1:
        return value | {path[0]: new}
    inner = value[path[0]]
    assert isinstance(inner, dict)
    return value | {path[0]: _put(inner, path[1:], new)}


def _answer(reading: Reading) -> dict[str, Json]:
    """Return the kind of the reward, its value, the end, and whether a breakdown is told."""
    if not isinstance(reading, Observed):
        return {"kind": "error", "value": None, "done": None, "breakdown": ""}
    reward = reading.reward
    kind = {Number: "number", Null: "null", Missing: "missing"}.get(type(reward), "not a number")
    told = _BREAKDOWN.search("\n".join(texts(reading.observation)))
    return {
        "kind": kind,
        "value": float(reward.value) if isinstance(reward, Number) else None,
        "done": reading.done,
        "breakdown": told.group() if told else "",
    }
