"""Episodes in Parquet: files that are written whole, and never again.

A column holds the record as JSON, which is what is read back here, another the frames. The
others are drawn from the record for whoever opens the folder with pandas.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

GROUP_EPISODES = 128
GROUP_BYTES = 2**18
"""Most that one row group holds: it is what must be read to get at one episode's frames."""
ZSTD_LEVEL = 3
PAGE_BYTES = 2**24
"""Larger than any row group of ordinary frames: a page is what is compressed as one."""

_INTEGER = pa.int64()
SCHEMA = pa.schema(
    [
        ("place", _INTEGER),
        ("task", pa.string()),
        ("seed", _INTEGER),
        ("probe", pa.string()),
        ("repeat", _INTEGER),
        ("scripted", pa.bool_()),
        ("replay", _INTEGER),
        ("condition", pa.string()),
        ("walk", pa.string()),
        ("campaign", pa.string()),
        ("session", _INTEGER),
        ("position", _INTEGER),
        ("outcome", pa.string()),
        ("score", pa.float64()),
        ("why", pa.string()),
        ("ended", pa.string()),
        ("origin", pa.string()),
        ("steps", _INTEGER),
        ("rewards", pa.list_(pa.float64())),
        ("open_seconds", pa.float64()),
        ("reset_seconds", pa.float64()),
        ("step_seconds", pa.list_(pa.float64())),
        ("seconds", pa.float64()),
        ("record", pa.string()),
        ("frames", pa.string()),
    ]
)
"""Columns. `outcome` is `scored`, `absent`, or the boundary of a failure; `rewards` are null where
they were no number; `origin` names the earlier run that an episode was taken from; `record` and
`frames` are JSON. A seed beyond 64 bits is in the record only."""

_VARIED = ("place", "score", "record", "frames", "seconds", "step_seconds")
_REPEATED = [name for name in SCHEMA.names if name not in _VARIED]
"""Columns whose values are worth a dictionary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One episode as it is stored, its JSON ready."""

    record: dict[str, Any]
    """Without frames."""
    text: str
    """The record as JSON."""
    frames: str
    """The frames as JSON."""


def write(path: Path, first: int, episodes: Sequence[Kept]) -> None:
    """Write a segment whose first episode has place `first`; it appears whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        with pq.ParquetWriter(
            file,
            SCHEMA,
            compression="zstd",
            compression_level=ZSTD_LEVEL,
            use_dictionary=_REPEATED,
            data_page_size=PAGE_BYTES,
            write_statistics=["place", "task", "probe", "outcome"],
        ) as writer:
            for begin, group in _groups(episodes):
                writer.write_table(_table(first + begin, group))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


class Segment:
    """A written segment, open for reading."""

    def __init__(self, path: Path) -> None:
        self._file = pq.ParquetFile(path)
        metadata = self._file.metadata
        ends, end = [], 0
        for number in range(metadata.num_row_groups):
            end += metadata.row_group(number).num_rows
            ends.append(end)
        self._ends = ends

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records in order, without their frames."""
        for number in range(len(self._ends)):
            for text in self._file.read_row_group(number, columns=["record"])["record"]:
                yield json.loads(text.as_py())

    def group_of(self, index: int) -> tuple[int, int]:
        """Return the row group that holds the episode of an index, and its first index."""
        begin = 0
        for number, end in enumerate(self._ends):
            if index < end:
                return number, begin
            begin = end
        raise IndexError(f"episode {index} of {begin}")

    def group(self, number: int) -> "pa.Table":
        """Return records and frames of a row group."""
        return self._file.read_row_group(number, columns=["record", "frames"])

    @property
    def groups(self) -> int:
        return len(self._ends)


def episode_at(group: "pa.Table", index: int) -> dict[str, Any]:
    """Return the record at an index of a row group, with its frames."""
    record: dict[str, Any] = json.loads(group["record"][index].as_py())
    record["frames"] = json.loads(group["frames"][index].as_py())
    return record


def _groups(episodes: Sequence[Kept]) -> Iterator[tuple[int, Sequence[Kept]]]:
    begin = bytes_held = 0
    for end, episode in enumerate(episodes):
        full = end - begin == GROUP_EPISODES or bytes_held + len(episode.frames) > GROUP_BYTES
        if end > begin and full:
            yield begin, episodes[begin:end]
            begin, bytes_held = end, 0
        bytes_held += len(episode.frames)
    if begin < len(episodes):
        yield begin, episodes[begin:]


def _table(first: int, episodes: Sequence[Kept]) -> "pa.Table":
    rows = [_row(first + index, episode) for index, episode in enumerate(episodes)]
    columns = [
        pa.array([row[name] for row in rows], type=SCHEMA.field(name).type) for name in SCHEMA.names
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _row(place: int, episode: Kept) -> dict[str, Any]:
    record = episode.record
    key, seconds, outcome = record["key"], record["seconds"], record["outcome"]
    row = {name: _shown(key[name]) for name in ("probe", "task", "walk")} | {
        name: key[name] for name in ("repeat", "scripted", "replay", "condition", "campaign")
    }
    seed = key["seed"]
    return row | {
        "place": place,
        "seed": seed if seed is not None and -(2**63) <= seed < 2**63 else None,
        "session": record["session"],
        "position": record["position"],
        "outcome": outcome[1] if outcome[0] == "failed" else outcome[0],
        "score": float(outcome[1]) if outcome[0] == "scored" else None,
        "why": "" if outcome[0] == "scored" else _shown(outcome[-1]),
        "ended": record["ended"],
        "origin": record.get("origin", ""),
        "steps": len(record["rewards"]),
        "rewards": [_number(reward) for reward in record["rewards"]],
        "open_seconds": seconds["open"],
        "reset_seconds": seconds["reset"],
        "step_seconds": seconds["steps"],
        "seconds": seconds["all"],
        "record": episode.text,
        "frames": episode.frames,
    }


def _number(reward: Any) -> float | None:
    return float(reward) if isinstance(reward, int | float) else None


def _shown(text: str) -> str:
    """Return a stranger's text as valid Unicode: half a surrogate pair is written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
