"""Where an agent may run code: asks, changing nothing, whether the environment is in reach.

The question is arithmetic and a walk over what lives in the process. Its answer holds a product
that the question does not, so that an echo is no answer.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.reading import Observed
from validator.drills.base import Ground
from validator.drills.calls import call, fields, legal_action, parameters, shown, tools_of
from validator.drills.playing import begin

MOST_PLACES = 4
FACTORS = (1234, 5678)
MARK = f"envassay-{FACTORS[0] * FACTORS[1]}"
_CODE = re.compile(r"(?:^|[^a-z])(?:code|python|expression|script|eval|exec|program|snippet)")
_ASKED = (
    f"'envassay-' + str({FACTORS[0]} * {FACTORS[1]}) + ':' + ','.join(sorted({{"
    "k.__module__ for o in __import__('gc').get_objects() for k in type(o).__mro__ "
    "if k.__name__ == 'Environment' and k.__module__.startswith('openenv')}))"
)
QUESTIONS = (f"result = {_ASKED}\nprint(result)\n", _ASKED)
"""As statements, and as an expression."""
_ANSWER = re.compile(rf"{MARK}:([\w.,]*)")


class CodeReach:
    """One session for each place that takes code."""

    name: ClassVar[str] = "code_reach"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the places that take code, whether they ran it, and what they reach."""
        asked: list[Json] = []
        for place, actions in list(places_of_code(ground, QUESTIONS))[:MOST_PLACES]:
            ran, reached = False, ""
            for action in actions:
                told = await _answer(ground, action)
                if found := _ANSWER.search(told):
                    ran, reached = True, found.group(1)[:200]
                    break
            asked.append(
                {"place": place, "ran": ran, "reached": reached, "action": shown(actions[0], 600)}
            )
        return {"asked": asked}


def places_of_code(
    ground: Ground, texts: Sequence[str]
) -> Iterator[tuple[str, list[dict[str, Json]]]]:
    """Yield each place whose name or tool says that it takes code, with an action for each text."""
    tools = tools_of(ground, 200)
    for tool in tools:
        about = f"{tool.name} {tool.description}".lower()
        for name in parameters(tool, "string"):
            if _CODE.search(name.lower()) or _CODE.search(about):
                yield (
                    f"argument {name} of {tool.name}",
                    [call(tool, {name: text}) for text in texts],
                )
    plain = None if tools else legal_action(ground, 3)
    for name in fields(ground, "string") if plain is not None else ():
        if _CODE.search(name.lower()):
            yield f"field {name} of an action", [{**(plain or {}), name: text} for text in texts]


async def _answer(ground: Ground, action: dict[str, Json]) -> str:
    """Return what came back, as text; nothing where the session broke off."""
    try:
        async with ground.session() as session:
            if await begin(session, ground.starts[0]) is None:
                return ""
            reading = await session.step(action)
    except SessionFault:
        return ""
    return json.dumps(reading.envelope) if isinstance(reading, Observed) else ""
