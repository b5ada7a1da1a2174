"""The observations of a run as they arrived, and what the server promised of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from validator.client.frames import Frame, Json
from validator.client.reading import Observed, read
from validator.evidence import Evidence
from validator.schemas import Shape, Unusable, read_schema
from validator.table import Row

Kind: TypeAlias = Literal["reset", "step"]

MOST_EPISODES = 150
MOST_ANSWERS = 3_000
MOST_CHARACTERS = 64 * 2**20
"""Bounds on what is held in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One observation frame of an episode."""

    kind: Kind
    row: Row
    step: int
    """0 for the answer to reset."""
    envelope: dict[str, Json]

    @property
    def observation(self) -> Json:
        return self.envelope.get("observation")


def answers_of(evidence: Evidence) -> list[Answer]:
    """Return the observations of one episode of each start and probe, and of what is walked.

    Answers to a request for the list of tools are left out: they are of a kind of their own.
    """
    rows = [row for row in evidence.table.rows if row.key.replay == 0 and row.key.repeat == 0]
    found: list[Answer] = []
    room = MOST_CHARACTERS
    for row in rows[:MOST_EPISODES]:
        frames = evidence.table.frames(row)
        room -= sum(len(frame.text) for frame in frames)
        if room < 0 or len(found) >= MOST_ANSWERS:
            break
        found += _answers(row, frames)
    return found


def promised_shape(evidence: Evidence, kind: Kind) -> Shape | Unusable | None:
    """Return the schema served for an observation; None where nothing is promised.

    Where agents call tools, reset returns another kind of observation than a step. A server
    that gives none of its own for it, or the one of a step, which is what the stock server does
    unless it is told, has promised nothing of it.
    """
    schema = evidence.about.observation_schema
    if kind == "reset":
        served = evidence.about.documents.get("/schema")
        own = served.get("reset_observation") if isinstance(served, dict) else None
        of_step = own is None or own == schema
        schema = (None if evidence.about.tools else schema) if of_step else own
    return None if schema is None else read_schema(schema)


def _answers(row: Row, frames: Sequence[Frame]) -> Iterator[Answer]:
    step = 0
    kind: Kind | None = None
    for frame in frames:
        if frame.way == "sent":
            kind = _asked(json.loads(frame.text))
            step += kind == "step"
        elif kind is not None:
            reading = read(frame.text)
            if isinstance(reading, Observed):
                yield Answer(kind=kind, row=row, step=step, envelope=reading.envelope)


def _asked(message: dict[str, Json]) -> Kind | None:
    action = message.get("data")
    if isinstance(action, dict) and action.get("type") == "list_tools":
        return None
    found = message.get("type")
    return "reset" if found == "reset" else "step" if found == "step" else None
