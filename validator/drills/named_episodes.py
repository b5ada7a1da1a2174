"""Names episodes at reset, and reads the state after reset and after each step."""

import json
from collections.abc import Mapping
from typing import ClassVar

from validator.client.frames import Json
from validator.client.reading import Observed, StateRead
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.playing import Turns, agent_of, begin
from validator.rollouts.play import describe

EPISODES = 3
STEPS = 6
LONGEST_SHOWN = 80


class NamedEpisodes:
    """A few short episodes of one session, each under an id that we give it."""

    name: ClassVar[str] = "named_episodes"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return, episode by episode, what the state said before the first step and after each."""
        episodes: list[Json] = []
        async with ground.session() as session:
            for number in range(EPISODES):
                start = ground.starts[number % len(ground.starts)]
                named = f"envassay-{number}"
                first = await begin(session, start, episode_id=named)
                if first is None:
                    continue
                states = [await _state(session)]
                answered: list[Json] = []
                agent = agent_of(ground, number)
                if agent is not None:
                    turns = Turns(session=session, agent=agent, seen=first)
                    while len(answered) < STEPS and (reading := await turns.take()) is not None:
                        answered.append(
                            isinstance(reading, Observed) and _counts(turns.actions[-1])
                        )
                        states.append(await _state(session))
                episodes.append(
                    {
                        "named": named,
                        "over_at_reset": bool(first.done),
                        "states": [*states],
                        "answered": answered,
                    }
                )
        return {"episodes": episodes}


async def _state(session: Session) -> dict[str, Json]:
    """Return the two fields that every state has, as found; a fault in words where it has none."""
    reading = await session.state()
    if not isinstance(reading, StateRead):
        return {"fault": describe(reading)[:300]}
    if not isinstance(reading.state, dict):
        return {"fault": "the state is no JSON object"}
    return {
        key: _short(reading.state[key])
        for key in ("episode_id", "step_count")
        if key in reading.state
    }


def _short(value: Json) -> Json:
    if value is None or isinstance(value, bool | int | float):
        return value
    return value if isinstance(value, str) and len(value) <= LONGEST_SHOWN else _cut(value)


def _cut(value: Json) -> str:
    return json.dumps(value)[:LONGEST_SHOWN] + "..."


def _counts(action: Json) -> bool:
    """Say whether an action is surely a step: asking for the list of tools may be none."""
    return not (isinstance(action, dict) and action.get("type") == "list_tools")
