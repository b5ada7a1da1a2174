"""Writes each episode as it ends and reads them back.

One JSON object a line, appended and flushed when an episode ends: whatever ends the process
costs the episodes that were running, and at most a torn last line, which readers leave out.
`pandas.read_json(path, lines=True)` reads a whole file.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

from validator.client.frames import Frame, Json
from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Episode, EpisodeKey, Failed, Outcome, Scored, Step

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One stored episode and where it stands in the file."""

    offset: int
    record: dict[str, Any]

    @property
    def key(self) -> EpisodeKey:
        return EpisodeKey(**self.record["key"])


class EpisodeStore:
    """The episode file of one run, open for appending."""

    def __init__(
        self,
        path: Path,
        file: BinaryIO,
        kept: frozenset[EpisodeKey],
        sessions: int = 0,
        last: frozenset[EpisodeKey] = frozenset(),
    ) -> None:
        self.path = path
        self.kept = kept
        """Episodes that were there when the file was opened."""
        self.last = last
        """Those of them after which their campaign had learned all it could."""
        self.sessions = sessions
        """Highest number of a session in the file."""
        self._file = file

    @classmethod
    def create(cls, path: Path) -> Self:
        """Start an empty file; an existing one is replaced."""
        path.parent.mkdir(parents=True, exist_ok=True)
        return cls(path, path.open("wb"), frozenset())

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Open a file for going on: a torn last line is cut off, whole episodes are kept."""
        kept: set[EpisodeKey] = set()
        last: set[EpisodeKey] = set()
        end = sessions = 0
        for stored, after in _lines(path):
            kept.add(stored.key)
            if stored.record.get("last"):
                last.add(stored.key)
            sessions = max(sessions, stored.record["session"])
            end = after
        file = path.open("r+b")
        file.truncate(end)
        file.seek(end)
        return cls(path, file, frozenset(kept), sessions, frozenset(last))

    def append(self, episode: Episode) -> None:
        """Write one finished episode."""
        self.sessions = max(self.sessions, episode.session)
        self._file.write(json.dumps(encode(episode)).encode("utf-8") + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Make sure everything is on disk."""
        if not self._file.closed:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()


def read_episodes(path: Path) -> Iterator[Stored]:
    """Yield the episodes of a file as they were written.

    One that was played again, in a run that was gone on with, comes again: the last one counts.
    """
    for stored, _ in _lines(path):
        yield stored


def read_one(path: Path, offset: int) -> Stored:
    """Return the episode that stands at `offset`."""
    with path.open("rb") as file:
        file.seek(offset)
        return Stored(offset=offset, record=json.loads(file.readline()))


def frames_of(record: dict[str, Any]) -> list[Frame]:
    """Return a stored episode's raw frames."""
    ways = {"s": "sent", "r": "received"}
    return [Frame(ways[way], text, seconds) for way, text, seconds in record["frames"]]  # type: ignore[arg-type]


def _lines(path: Path) -> Iterator[tuple[Stored, int]]:
    with path.open("rb") as file:
        offset = 0
        for line in file:
            if not line.endswith(b"\n"):
                return
            try:
                record = json.loads(line)
            except ValueError:  # a line torn by a crash and written over by nothing: the end
                return
            yield Stored(offset=offset, record=record), offset + len(line)
            offset += len(line)


def encode(episode: Episode) -> dict[str, Any]:
    """Return an episode as a JSON object."""
    key = episode.key
    return {
        "format": FORMAT,
        "key": {
            "task": key.task,
            "seed": key.seed,
            "probe": key.probe,
            "repeat": key.repeat,
            "scripted": key.scripted,
            "replay": key.replay,
            "condition": key.condition,
            "walk": key.walk,
            "campaign": key.campaign,
        },
        "position": episode.position,
        "session": episode.session,
        "outcome": _encode_outcome(episode.outcome),
        "ended": episode.ended,
        "last": episode.last,
        "started": episode.start is not None,
        "unplayable": episode.unplayable,
        "rewards": [_encode_paid(step) for step in episode.steps],
        "done": [step.done for step in episode.steps],
        "after": [[_encode_paid(step), step.done] for step in episode.after],
        "seconds": {
            "open": _short(episode.open_seconds),
            "reset": _short(episode.reset_seconds),
            "steps": [_short(step.seconds) for step in episode.steps],
            "all": _short(episode.seconds),
        },
        "frames": [[f.way[0], f.text, _short(f.seconds)] for f in episode.frames],
    }


def _encode_paid(step: Step) -> Json:
    return "error" if step.error is not None else encode_reward(step.reward)


def encode_reward(reward: Reward) -> Json:
    """Return a reward as JSON: a number, null, or a word for what is neither."""
    match reward:
        case Number(value=value):
            return value
        case Null():
            return None
        case Missing():
            return "missing"
        case NotANumber(found=found):
            return {"not_a_number": found}


def decode_reward(found: Json) -> Reward:
    """Undo `encode_reward`."""
    if found is None:
        return Null()
    if found == "missing":
        return Missing()
    if isinstance(found, dict):
        return NotANumber(str(found["not_a_number"]))
    assert isinstance(found, int | float)
    return Number(found)


def _encode_outcome(outcome: Outcome) -> list[Any]:
    match outcome:
        case Scored(score=score):
            return ["scored", score]
        case Absent(why=why):
            return ["absent", why]
        case Failed(boundary=boundary, why=why):
            return ["failed", boundary, why]


def decode_outcome(found: list[Any]) -> Outcome:
    """Return the outcome of a stored episode."""
    match found:
        case ["scored", score]:
            return Scored(float(score))
        case ["absent", why]:
            return Absent(why)
        case ["failed", boundary, why]:
            return Failed(boundary=boundary, why=why)
    raise ValueError(f"no outcome: {found!r:.80}")


def _short(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 6)
