"""Reads the stored episodes of a run, whatever the file: the only place that knows their format.

A folder holds Parquet segments, as `docs/design/rollouts.md` tells; older runs have one file of
JSON lines. What an environment sent is handed on as it came.
"""

import json
import shutil
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

Json: TypeAlias = Any

_COLUMNS = [
    "place", "task", "seed", "probe", "repeat", "scripted", "replay", "condition", "walk",
    "campaign", "outcome", "score", "why", "ended", "steps",
]  # fmt: skip
_PLAYED = ('{"type": "reset"', '{"type": "step"')
"""How the frames begin that play."""
MOST_EPISODES = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One episode without its frames."""

    place: int
    """Episodes of the run that had ended before it."""
    name: str
    """The stable name that findings use."""
    start: str
    probe: str
    outcome: str
    """`scored`, `absent`, or how it failed."""
    score: float | None
    why: str
    """Why there is no score."""
    ended: str
    steps: int
    original: str
    """Name of the episode that it repeats, its own where it repeats none."""
    campaign: str

    @property
    def is_replay(self) -> bool:
        return self.original != self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message as it came or went."""

    way: Literal["sent", "received"]
    text: str
    seconds: float | None
    """Since the episode began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What was asked at one step, and what came back."""

    number: int
    """0 for the reset."""
    asked: Json
    observation: Json
    reward: Json
    """As on the wire; None both where it was null and where it was missing: `fields` tells."""
    done: Json
    fields: tuple[str, ...]
    """What the answer had, in its order."""
    error: str
    """Text of an error frame, or of a frame that is none of ours."""
    seconds: float | None
    """From the question to its answer."""
    frames: tuple[Frame, ...]


class Episodes:
    """The episodes of one run."""

    def __init__(self, path: Path, *, own: Path | None = None) -> None:
        """Open a store.

        Args:
            path: A folder of segments, or a file of lines.
            own: A folder to be removed when this is no longer used.

        Raises:
            OSError: it cannot be read.
            ValueError: it holds something else.
        """
        self._path = path
        if own is not None:
            weakref.finalize(self, shutil.rmtree, own, ignore_errors=True)
        self._lines = path.read_text("utf-8").splitlines() if path.is_file() else []
        self._files = [] if path.is_file() else sorted(path.glob("episodes-*.parquet"))
        if not path.is_file() and not self._files:
            raise ValueError("no episodes")
        self.told: tuple[Told, ...] = tuple(sorted(self._all(), key=lambda one: one.place))
        self._whole = lru_cache(16)(self._read)

    def find(self, name: str) -> Told | None:
        """Return the episode of a name, the last one where it was played again."""
        return next((one for one in reversed(self.told) if one.name == name), None)

    def at(self, place: int) -> Told | None:
        """Return the episode of a place."""
        return next((one for one in self.told if one.place == place), None)

    def moves(self, place: int) -> list[Move]:
        """Return an episode step by step, the reset first.

        Raises:
            ValueError: it cannot be read.
        """
        return self._whole(place)

    def _read(self, place: int) -> list[Move]:
        try:
            frames = [
                Frame(way="sent" if way == "s" else "received", text=str(text), seconds=seconds)
                for way, text, seconds in self._frames(place)
            ]
        except (KeyError, TypeError, pa.ArrowException) as fault:
            raise ValueError("the episode is damaged") from fault
        return list(_moves(frames))

    def _frames(self, place: int) -> Sequence[Sequence[Any]]:
        if self._lines:
            lines: Sequence[Sequence[Any]] = json.loads(self._lines[place])["frames"]
            return lines
        for file in self._files:
            first, end = (int(part) for part in file.stem.split("-")[1:])
            if first <= place < end:
                return _frames_at(file, place - first)
        raise ValueError("there is no such episode")

    def _all(self) -> Iterator[Told]:
        if self._lines:
            for place, line in enumerate(self._lines[:MOST_EPISODES]):
                try:
                    yield _told_of_record(place, json.loads(line))
                except ValueError:  # torn by a crash: the end
                    return
        for file in self._files:
            try:
                table = pq.read_table(file, columns=_COLUMNS)
            except pa.ArrowException as fault:
                raise ValueError("damaged") from fault
            for row in table.to_pylist():
                yield _told(row)


def first_difference(one: Sequence[Move], other: Sequence[Move]) -> int | None:
    """Return the first step at which two episodes differ in anything but time, None where none."""
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if _content(a) != _content(b):
            return number
    return None if len(one) == len(other) else min(len(one), len(other))


def parts_that_differ(one: Move | None, other: Move | None) -> frozenset[str]:
    """Return which parts of a step differ: `asked`, `observation`, `reward`, `done`, `error`."""
    if one is None or other is None:
        return frozenset()
    parts = ("asked", "observation", "reward", "done", "error")
    return frozenset(part for part in parts if getattr(one, part) != getattr(other, part))


def _content(move: Move) -> tuple[Any, ...]:
    return (move.asked, move.observation, move.reward, move.done, move.fields, move.error)


def _moves(frames: Sequence[Frame]) -> Iterator[Move]:
    begins = [
        place
        for place, frame in enumerate(frames)
        if frame.way == "sent" and frame.text.startswith(_PLAYED)
    ]
    for number, begin in enumerate(begins):
        end = begins[number + 1] if number + 1 < len(begins) else len(frames)
        yield _move(number, frames[begin:end])


def _move(number: int, frames: Sequence[Frame]) -> Move:
    sent = _parsed(frames[0].text)
    asked = sent.get("data", {}) if isinstance(sent, dict) else {}
    answer = next((frame for frame in frames[1:] if frame.way == "received"), None)
    envelope, error = _answer(answer)
    return Move(
        number=number,
        asked=asked,
        observation=envelope.get("observation"),
        reward=envelope.get("reward"),
        done=envelope.get("done"),
        fields=tuple(envelope),
        error=error,
        seconds=_between(frames[0], answer),
        frames=tuple(frames),
    )


def _between(asked: Frame, answer: Frame | None) -> float | None:
    if answer is None or answer.seconds is None or asked.seconds is None:
        return None
    return answer.seconds - asked.seconds


def _answer(frame: Frame | None) -> tuple[Mapping[str, Any], str]:
    if frame is None:
        return {}, "no answer came"
    found = _parsed(frame.text)
    if not isinstance(found, dict):
        return {}, frame.text
    data = found.get("data")
    if found.get("type") == "error" or not isinstance(data, dict):
        return {}, frame.text
    return data, ""


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _frames_at(file: Path, index: int) -> Sequence[Sequence[Any]]:
    opened = pq.ParquetFile(file)
    begin = 0
    for number in range(opened.metadata.num_row_groups):
        rows = opened.metadata.row_group(number).num_rows
        if index < begin + rows:
            column = opened.read_row_group(number, columns=["frames"])["frames"]
            frames: Sequence[Sequence[Any]] = json.loads(column[index - begin].as_py())
            return frames
        begin += rows
    raise ValueError("there is no such episode")


def _told_of_record(place: int, record: Any) -> Told:
    try:
        outcome = record["outcome"]
        return _told(
            dict(record["key"])
            | {
                "place": place,
                "outcome": outcome[1] if outcome[0] == "failed" else outcome[0],
                "score": outcome[1] if outcome[0] == "scored" else None,
                "why": "" if outcome[0] == "scored" else outcome[-1],
                "ended": record["ended"],
                "steps": len(record["rewards"]),
            }
        )
    except (KeyError, TypeError, IndexError) as fault:
        raise ValueError("no episode") from fault


def _told(row: Mapping[str, Any]) -> Told:
    seed = "none" if row["seed"] is None else row["seed"]
    start = f"seed {seed}" if row["task"] == "-" else str(row["task"])
    name = _name(row, seed, replay=row["replay"])
    return Told(
        place=row["place"],
        name=name,
        start=start,
        probe=row["probe"],
        outcome=row["outcome"],
        score=row["score"],
        why=row["why"] or "",
        ended=row["ended"],
        steps=row["steps"],
        original=_name(row, seed, replay=0),
        campaign=row.get("campaign") or "",
    )


def _name(row: Mapping[str, Any], seed: object, *, replay: int) -> str:
    campaign, walk = row.get("campaign") or "", row.get("walk") or ""
    script = "script-" if row["scripted"] else f"{campaign}-" if campaign else ""
    mark = f"/{row['condition']}-replay-{replay}" if replay else ""
    who = f"{row['probe']}/{walk}" if walk else f"{row['probe']}/{script}{row['repeat']}"
    return f"{row['task']}/seed-{seed}/{who}{mark}"
