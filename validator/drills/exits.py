"""Where an agent may run code: sends code that ends itself, as any agent's may."""

from collections.abc import Mapping
from itertools import islice
from typing import ClassVar

from validator.client.faults import Closed, SessionFault
from validator.client.frames import Json
from validator.client.reading import Observed
from validator.drills.base import Ground
from validator.drills.calls import shown
from validator.drills.code_reach import MOST_PLACES, places_of_code
from validator.drills.playing import begin

ORDINARY = "1"
"""A program and an expression, which ends by coming to its end."""
EXITS = ("exit()", "raise SystemExit")
ANSWERED, OTHER = "answered", "other"
FINE = (ANSWERED, OTHER)
SHOWN = 300


class Exits:
    """One session for each text; what ends a session is sent once more, on another."""

    name: ClassVar[str] = "exits"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the places that take code, and how a session fares on code that exits.

        Each has the action whose session broke off twice and how, both empty where none did.
        """
        tried: list[Json] = []
        places = places_of_code(ground, (ORDINARY, *EXITS))
        for place, (plain, *exits) in islice(places, MOST_PLACES):
            entry: dict[str, Json] = {"place": place, "action": "", "ended": ""}
            tried.append(entry)
            if await _fares(ground, plain) != ANSWERED:
                continue
            for action in exits:
                ended = await _fares(ground, action)
                again = OTHER if ended in FINE else await _fares(ground, action)
                if again not in FINE:
                    entry.update(action=shown(action), ended=ended)
                    break
        return {"tried": tried}


async def _fares(ground: Ground, action: dict[str, Json]) -> str:
    """Return how a session fares: answered, how it broke off at the action, or neither."""
    begun = False
    try:
        async with ground.session() as session:
            begun = await begin(session, ground.starts[0]) is not None
            reading = await session.step(action) if begun else None
    except Closed as fault:
        return str(fault)[:SHOWN] if begun else OTHER
    except SessionFault:
        return OTHER
    return ANSWERED if isinstance(reading, Observed) else OTHER
