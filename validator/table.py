"""Turns stored episodes into the columns that metrics take."""

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from validator.client.frames import Frame, Json, hash_of_cut
from validator.client.reading import (
    ErrorRead,
    Missing,
    NotANumber,
    Null,
    Number,
    Observed,
    Reward,
    read,
)
from validator.episodes import Absent, EpisodeKey, Failed, Outcome, Scored
from validator.rollouts.record import decode_outcome, decode_reward, frames_of
from validator.rollouts.store import Episodes, Stored, read_records

PLAYED = ('{"type": "reset"', '{"type": "step"')
"""How the frames begin that play: a session writes them so."""

UNTIMED: dict[str, Any] = {"open": None, "reset": None, "steps": ()}

LONGEST_ERROR = 500
"""Most characters of an unreadable frame that are compared as text; the rest by its hash."""

Kind = Literal["number", "null", "missing", "not a number", "error"]
_CODES: dict[Kind, int] = {"number": 0, "null": 1, "missing": 2, "not a number": 3, "error": 4}
_KINDS: tuple[Kind, ...] = tuple(_CODES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row:
    """One episode without its frames: small enough to hold a hundred thousand of."""

    key: EpisodeKey
    position: int
    session: int
    """Number of its session in the run; episodes of equal number shared it."""
    outcome: Outcome
    ended: Literal["done", "left", "step_cap", "failed"]
    started: bool
    """The reset succeeded."""
    odd: str
    """The first reward that was no finite number, as found; empty where there was none."""
    kinds: bytes
    """Kind of each step's reward, as a code."""
    values: "array[float]"
    """The numeric rewards, in order."""
    dones: bytes
    """Per step: 1 done, 0 not, 2 where that could not be read."""
    after: tuple[tuple[Reward | None, bool | None], ...]
    """Reward and end of each step taken after the end; None for a reward where it was refused."""
    open_seconds: float | None
    reset_seconds: float | None
    step_seconds: "array[float]"
    offset: int
    """Episodes of the run that had ended before it."""
    origin: str = ""
    """Name of the earlier run that has played it; empty for one of this run. Times of an earlier
    one are not told: they say nothing about now."""

    @property
    def steps(self) -> int:
        return len(self.kinds)

    @property
    def answered(self) -> int:
        """Return the number of steps that were answered with an observation."""
        return self.steps - self.kinds.count(_CODES["error"])

    @property
    def score(self) -> float | None:
        """Return the score, None where the episode has none."""
        return self.outcome.score if isinstance(self.outcome, Scored) else None

    def kind_at(self, step: int) -> Kind:
        """Return what stood in the place of the reward, step counted from 0."""
        return _KINDS[self.kinds[step]]

    def steps_of(self, kind: Kind) -> list[int]:
        """Return the steps whose reward was of a kind."""
        return [step for step, code in enumerate(self.kinds) if code == _CODES[kind]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Episodes by outcome."""

    started: int
    scored: int
    absent: int
    error: int
    timeout: int
    refused: int


class EpisodeTable:
    """The episodes of one run, in an order that does not depend on how they were scheduled."""

    def __init__(self, path: Path, rows: Iterable[Row]) -> None:
        self.path = path
        self._episodes = Episodes(path)
        self.everything: tuple[Row, ...] = tuple(_sorted(rows))
        self.rows: tuple[Row, ...] = tuple(r for r in self.everything if not r.key.campaign)
        """Episodes that stand alone: what checks judge the environment by."""
        self.campaigns: tuple[Row, ...] = tuple(r for r in self.everything if r.key.campaign)
        """Episodes of searches and learners: each depends on those before it."""
        self._by_key = {row.key: row for row in self.everything}

    @property
    def now(self) -> "EpisodeTable":
        """Return the table without what was taken from earlier runs; itself where nothing was."""
        played = [row for row in self.everything if not row.origin]
        return self if len(played) == len(self.everything) else EpisodeTable(self.path, played)

    @classmethod
    def of(cls, path: Path) -> "EpisodeTable":
        """Read a store, one episode at a time; the last one of each key counts."""
        shared = _Shared()
        rows = (shared.row(stored) for stored in read_records(path))
        return cls(path, {row.key: row for row in rows}.values())

    def get(self, key: EpisodeKey) -> Row | None:
        return self._by_key.get(key)

    def originals(self, probes: Sequence[str] | None = None) -> list[Row]:
        """Return the episodes in which a probe decided, none repeated, drawn for its start."""
        return [
            row
            for row in self.rows
            if row.key.replay == 0
            and not row.key.scripted
            and not row.key.walk
            and (probes is None or row.key.probe in probes)
        ]

    def counts(self, rows: Iterable[Row] | None = None) -> Counts:
        """Return the ledger of some rows, of all there are where none are given."""
        tally = dict.fromkeys(("scored", "absent", "error", "timeout", "refused"), 0)
        total = 0
        for row in self.everything if rows is None else rows:
            total += 1
            tally[_column(row.outcome)] += 1
        return Counts(started=total, **tally)

    def record(self, row: Row) -> dict[str, Any]:
        """Return the stored episode of a row, frames included."""
        return self._episodes.at(row.offset).record

    def frames(self, row: Row) -> list[Frame]:
        return frames_of(self.record(row))


def scores_of(rows: Iterable[Row]) -> NDArray[np.float64]:
    """Return the scores of the scored episodes among `rows`, shape `(scored,)`."""
    return np.array([row.score for row in rows if row.score is not None], dtype=float)


def start_of(key: EpisodeKey) -> str:
    """Return the name of an episode's start: its task where there is one, else its seed."""
    return f"seed {key.seed}" if key.task == "-" else key.task


def trace_of(frames: Sequence[Frame], most: int | None = None) -> list[dict[str, Json]]:
    """Return what came back at reset and at each step, channel by channel.

    Channels are `observation`, `metadata`, `reward`, `done`, or `error` alone; a channel that
    was not on the wire is not in the step. Answers to other requests are left out. No more than
    `most` are read, all where None.
    """
    return [_channels(text) for text in islice(_answers(frames), most)]


def _answers(frames: Iterable[Frame]) -> Iterator[str]:
    """Yield the answers to what plays."""
    asked = False
    for frame in frames:
        if frame.way == "sent":
            asked = frame.text.startswith(PLAYED)
        elif asked:
            yield frame.text


def actions_of(frames: Sequence[Frame]) -> Iterator[Json]:
    """Yield the messages that were sent, as parsed."""
    for frame in frames:
        if frame.way == "sent":
            yield json.loads(frame.text)


def _channels(text: str) -> dict[str, Json]:
    reading = read(text)
    if isinstance(reading, Observed):
        return {
            name: reading.envelope[name]
            for name in ("observation", "metadata", "reward", "done")
            if name in reading.envelope
        }
    if isinstance(reading, ErrorRead):
        return {"error": {"code": reading.code, "message": reading.message}}
    return {"error": _unreadable(text)}


def _unreadable(text: str) -> str:
    """Return text that is no frame, or was cut, short and still equal to its equals only."""
    if len(text) <= LONGEST_ERROR:
        return text
    whole = hash_of_cut(text) or hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:LONGEST_ERROR]} (sha256 {whole})"


_ORDER = (
    "task", "seed", "probe", "walk", "scripted", "campaign", "repeat", "condition", "replay",
)  # fmt: skip
"""Members of a key by which episodes are sorted, the first one above all."""


def _sorted(rows: Iterable[Row]) -> list[Row]:
    """Sort by one member after the other: a tuple for each row would be as large as the rows."""
    found = list(rows)
    for name in reversed(_ORDER):
        found.sort(key=partial(_member, name))
    return found


def _member(name: str, row: Row) -> Any:
    value = getattr(row.key, name)
    return -1 if value is None else value


def _column(outcome: Outcome) -> str:
    match outcome:
        case Scored():
            return "scored"
        case Absent():
            return "absent"
        case Failed(boundary=boundary):
            return boundary


class _Shared:
    """Makes rows that hold once what is equal in many of them, so that they stay small."""

    def __init__(self) -> None:
        self._held: dict[Any, Any] = {}

    def row(self, stored: Stored) -> Row:
        record, once = stored.record, self._once
        rewards = [
            None if found == "error" else decode_reward(found) for found in record["rewards"]
        ]
        origin = once(record.get("origin", ""))
        seconds = UNTIMED if origin else record["seconds"]
        outcome = decode_outcome(record["outcome"])
        values = array("d", (float(r.value) for r in rewards if isinstance(r, Number)))
        return Row(
            key=EpisodeKey(**{name: once(value) for name, value in record["key"].items()}),
            position=record["position"],
            session=record["session"],
            outcome=outcome if isinstance(outcome, Scored) else once(outcome),
            ended=once(record["ended"]),
            started=record["started"],
            odd=next((r.found for r in rewards if isinstance(r, NotANumber)), ""),
            kinds=once(bytes(_CODES[_kind(reward)] for reward in rewards)),
            values=values if len(set(values)) > 1 else once(values.tobytes(), values),
            dones=once(bytes(2 if done is None else int(done) for done in record["done"])),
            after=tuple(
                (None if found == "error" else decode_reward(found), done)
                for found, done in record["after"]
            ),
            open_seconds=seconds["open"],
            reset_seconds=seconds["reset"],
            step_seconds=array("f", seconds["steps"]),
            offset=stored.offset,
            origin=origin,
        )

    def _once(self, equal: Any, value: Any = None) -> Any:
        value = equal if value is None else value
        return self._held.setdefault((type(value), equal), value)


def _kind(reward: Reward | None) -> Kind:
    match reward:
        case None:
            return "error"
        case Number():
            return "number"
        case Null():
            return "null"
        case Missing():
            return "missing"
        case NotANumber():
            return "not a number"
