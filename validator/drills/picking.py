"""Gives numbers to whatever an agent may give numbers to, and sees whether they choose the start.

For each number, the answer is held beside what a reset with that number as its seed shows.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from validator.client.frames import Json
from validator.client.reading import Observed
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.calls import call, fields, legal_action, parameters, shown, tools_of
from validator.rollouts.start import Start

NUMBERS = (1, 2, 3, 4, 5)
FEWEST_STARTS = 3
"""Different starts that these seeds must give before anything can be told."""
MOST_PLACES = 12
SHORTEST_TELLING = 8
"""Characters of a text that can stand for one start and no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where an agent may put a number."""

    name: str
    plain: dict[str, Json] | None
    """The same action without a number; None where it is the call of a tool."""
    actions: Mapping[int, dict[str, Json]]


class Picking:
    """One session: for each place and number a reset to the first start, and the action."""

    name: ClassVar[str] = "picking"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the places that were tried, and those whose numbers choose the start."""
        places = list(_places(ground))[:MOST_PLACES]
        chosen: list[Json] = []
        if places:
            async with ground.session() as session:
                for place in places:
                    if saw := await _chooses(ground, session, place):
                        action = shown(place.actions[NUMBERS[0]])
                        chosen.append({"place": place.name, "action": action, "saw": saw})
        return {"places": [place.name for place in places], "chosen": chosen}


def _places(ground: Ground) -> Iterator[_Place]:
    tools = tools_of(ground, MOST_PLACES)
    for tool in tools:
        for name in parameters(tool, "number"):
            actions = {number: call(tool, {name: number}) for number in NUMBERS}
            yield _Place(name=f"argument {name} of {tool.name}", plain=None, actions=actions)
    plain = legal_action(ground, 2)
    if tools or plain is None:
        return
    for name in fields(ground, "number"):
        without = {key: value for key, value in plain.items() if key != name}
        actions = {number: {**plain, name: number} for number in NUMBERS}
        yield _Place(name=f"field {name} of an action", plain=without, actions=actions)


async def _chooses(ground: Ground, session: Session, place: _Place) -> str:
    """Return what shows that the numbers choose the start; nothing where they do not."""
    answers: list[dict[str, Json]] = []
    starts: list[dict[str, Json]] = []
    for number in NUMBERS:
        answer = await _after(session, ground.starts[0], None, place.actions[number])
        there = await _after(session, ground.starts[0], number, place.plain)
        if answer is None or there is None:
            return ""
        answers.append(answer)
        starts.append(there)
    return _told(answers, starts) if place.plain is None else _same(answers, starts)


async def _after(
    session: Session, start: Start, seed: int | None, action: dict[str, Json] | None
) -> dict[str, Json] | None:
    """Return the observation after a reset, and after an action where one is given."""
    chosen = start.seed if seed is None else seed
    reading = await session.reset(seed=chosen, options=start.task.options)
    if isinstance(reading, Observed) and action is not None:
        reading = await session.step(action)
    seen = reading.observation if isinstance(reading, Observed) else None
    return seen if isinstance(seen, dict) else None


def _same(answers: Sequence[dict[str, Json]], starts: Sequence[dict[str, Json]]) -> str:
    """Return a field that differs from seed to seed and is the same in answer and start."""
    for name in starts[0]:
        there = [json.dumps(start.get(name), sort_keys=True) for start in starts]
        here = [json.dumps(answer.get(name), sort_keys=True) for answer in answers]
        if name != "metadata" and there == here and len(set(there)) >= FEWEST_STARTS:
            return f"{name} is {there[0][:100]} after 1, {there[1][:100]} after 2"
    return ""


def _told(answers: Sequence[dict[str, Json]], starts: Sequence[dict[str, Json]]) -> str:
    """Return texts of starts that stand in the answers to the same numbers and to no others."""
    told = [json.dumps(answer, ensure_ascii=False) for answer in answers]
    texts = [set(_texts(start)) for start in starts]
    found: list[str] = []
    for number, own in enumerate(texts):
        telling = (
            text
            for text in sorted(own)
            if all((_inside(text) in told[n]) == (text in texts[n]) for n in range(len(NUMBERS)))
            and _inside(text) in told[number]
        )
        found.append(next(telling, ""))
    if not all(found) or len(set(found)) < FEWEST_STARTS:
        return ""
    return ", ".join(
        f"{text[:100]!r} after {n}" for text, n in zip(found[:2], NUMBERS[:2], strict=True)
    )


def _inside(text: str) -> str:
    """Return how a text reads within a JSON text."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str) and len(value) >= SHORTEST_TELLING:
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
