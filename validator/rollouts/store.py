"""Writes each episode as it ends and reads them back.

A store is a folder. What ends is appended to a tail, one JSON object a line, and flushed:
whatever ends the process costs the episodes that were running, and at most a torn last line,
which readers leave out. A tail that has grown is written again as a segment, in Parquet and
whole, and then removed; all that is left is, when the store is closed.

    episodes-FIRST-END.parquet    a segment, by the places of its episodes
    _tail-FIRST.jsonl             a tail; one that a segment covers counts for nothing

`pandas.read_parquet(folder)` reads all segments. A file of lines, as older runs have one, is read
like a tail.
"""

import json
import os
import re
import shutil
from array import array
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Self

from validator.episodes import Episode, EpisodeKey
from validator.rollouts import segments
from validator.rollouts.record import encode, encode_frames
from validator.rollouts.segments import Kept, Segment

SEGMENT_EPISODES = 2_048
SEGMENT_BYTES = 2**23
"""Size of a tail at which it is written as a segment."""
CACHED_SEGMENTS, CACHED_GROUPS = 8, 16
"""Files and row groups that a reader keeps: neighbours are often asked for together."""

_SEGMENT = re.compile(r"episodes-(\d{9,18})-(\d{9,18})\.parquet")
_TAIL = re.compile(r"_tail-(\d{9,18})\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One stored episode and its place in the store."""

    offset: int
    """Episodes that were written before it."""
    record: dict[str, Any]

    @property
    def key(self) -> EpisodeKey:
        return EpisodeKey(**self.record["key"])


class EpisodeStore:
    """The episodes of one run, open for appending."""

    def __init__(
        self,
        path: Path,
        kept: frozenset[EpisodeKey] = frozenset(),
        *,
        places: int = 0,
        sessions: int = 0,
        last: frozenset[EpisodeKey] = frozenset(),
    ) -> None:
        self.path = path
        self.kept = kept
        """Episodes that were there when the store was opened."""
        self.last = last
        """Those of them after which their campaign had learned all it could."""
        self.sessions = sessions
        """Highest number of a session in the store."""
        self._places = places
        self._tail: BinaryIO | None = None
        self._waiting: list[Kept] = []
        """What stands in the tail."""
        self._bytes = 0
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="segments")
        self._writing: Future[None] | None = None
        self._aside: EpisodeStore | None = None

    @classmethod
    def create(cls, path: Path) -> Self:
        """Start an empty store; an existing one is replaced."""
        path.mkdir(parents=True, exist_ok=True)
        for file in path.iterdir():
            if _is_ours(file.name):
                file.unlink()
        return cls(path)

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Open a store for going on: a torn last line is left out, whole episodes are kept."""
        _settle(path)
        kept: set[EpisodeKey] = set()
        last: set[EpisodeKey] = set()
        places = sessions = 0
        for stored in read_records(path):
            kept.add(stored.key)
            if stored.record.get("last"):
                last.add(stored.key)
            sessions = max(sessions, stored.record["session"])
            places = stored.offset + 1
        return cls(path, frozenset(kept), places=places, sessions=sessions, last=frozenset(last))

    def append(self, episode: Episode) -> None:
        """Write one finished episode."""
        self.sessions = max(self.sessions, episode.session)
        record = encode(episode)
        self._write(record, json.dumps(encode_frames(episode.frames)))

    def take(self, record: dict[str, Any], *, origin: str, after: int) -> None:
        """Write an episode that another run has played, its session numbered on from `after`."""
        session = record["session"] + after
        self.sessions = max(self.sessions, session)
        copy = {**record, "session": session, "origin": origin}
        self._write(copy, json.dumps(copy.pop("frames")))

    def _write(self, record: dict[str, Any], frames: str) -> None:
        text = json.dumps(record)
        one = Kept(record=record, text=text, frames=frames)
        line = f'{text[:-1]}, "frames": {one.frames}}}\n'.encode("ascii")
        if self._tail is None:
            self._tail = _tail_at(self.path, self._places).open("wb")
        self._tail.write(line)
        self._tail.flush()
        self._waiting.append(one)
        self._bytes += len(line)
        if len(self._waiting) >= SEGMENT_EPISODES or self._bytes >= SEGMENT_BYTES:
            self._compact()

    def set_aside(self, episode: Episode) -> None:
        """Write an attempt that was lost into a store of its own beside this one."""
        if self._aside is None:
            path = self.path.with_name(f"{self.path.name}-lost")
            self._aside = EpisodeStore.resume(path) if path.exists() else EpisodeStore.create(path)
        self._aside.append(episode)

    def close(self) -> None:
        """Write what is left as a segment and make sure that everything is on disk."""
        try:
            if self._aside is not None:
                self._aside.close()
            self._compact()
            if self._writing is not None:
                self._writing.result()
        finally:
            self._worker.shutdown()

    def _compact(self) -> None:
        """Have the tail written as a segment, beside what goes on meanwhile."""
        if self._tail is None:
            return
        if self._writing is not None:
            self._writing.result()
        self._tail.close()
        self._tail = None
        first, waiting = self._places, self._waiting
        self._places += len(waiting)
        self._waiting, self._bytes = [], 0
        self._writing = self._worker.submit(_write, self.path, first, waiting)


class Episodes:
    """Reads a store by place, also while it is written to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sources: list[_Source] = []
        self._segment = lru_cache(CACHED_SEGMENTS)(Segment)
        self._group = lru_cache(CACHED_GROUPS)(self._read_group)
        self._begins: dict[Path, array[int]] = {}
        """Where the lines of a tail begin."""

    def at(self, offset: int) -> Stored:
        """Return the episode of a place, with its frames.

        Raises:
            IndexError: there is none.
        """
        record = self._in_segment(offset)
        if record is None:
            self._sources = _sources(self._path)
            record = self._in_segment(offset) or self._in_tail(offset)
        if record is None:  # its tail has become a segment meanwhile
            self._sources = _sources(self._path)
            record = self._in_segment(offset)
        if record is None:
            raise IndexError(f"no episode {offset}")
        return Stored(offset=offset, record=record)

    def _in_segment(self, offset: int) -> dict[str, Any] | None:
        for source in self._sources:
            if source.end is not None and source.first <= offset < source.end:
                index = offset - source.first
                number, begin = self._segment(source.path).group_of(index)
                return segments.episode_at(self._group(source.path, number), index - begin)
        return None

    def _read_group(self, path: Path, number: int) -> Any:
        return self._segment(path).group(number)

    def _in_tail(self, offset: int) -> dict[str, Any] | None:
        tails = [s for s in self._sources if s.end is None and s.first <= offset]
        if not tails:
            return None
        first, path = tails[-1].first, tails[-1].path
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return None
        with file:
            begins = self._begins.setdefault(path, array("Q"))
            if offset - first >= len(begins):
                begins[:] = array("Q", (begin for begin, _ in _lines(file)))
            if offset - first >= len(begins):
                return None
            file.seek(begins[offset - first])
            found: dict[str, Any] = json.loads(file.readline())
            return found


def read_episodes(path: Path) -> Iterator[Stored]:
    """Yield the episodes of a store as they were written, with their frames.

    One that was played again, in a run that was gone on with, comes again: the last one counts.
    """
    return _walk(path, frames=True)


def read_records(path: Path) -> Iterator[Stored]:
    """Yield the same without frames, which is much less to read."""
    return _walk(path, frames=False)


def read_one(path: Path, offset: int) -> Stored:
    """Return the episode that stands at a place."""
    return Episodes(path).at(offset)


def take_over(lines: Path, path: Path) -> None:
    """Make a store of a file of lines, as older versions wrote it, and remove the file."""
    part = path.with_name(f".{path.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    first = held = 0
    waiting: list[Kept] = []
    for stored in _Source(first=0, path=lines).read(frames=True):
        waiting.append(_kept(stored.record))
        held += len(waiting[-1].frames)
        if held >= SEGMENT_BYTES:
            _write_segment(part, first, waiting)
            first, held, waiting = first + len(waiting), 0, []
    if waiting:
        _write_segment(part, first, waiting)
    part.replace(path)
    lines.unlink()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A file of a store."""

    first: int
    """Place of its first episode."""
    end: int | None = None
    """Place after its last; None for a tail, which may still grow."""
    path: Path

    def read(self, *, frames: bool) -> Iterator[Stored]:
        if self.end is None:
            with self.path.open("rb") as file:
                for index, (_, record) in enumerate(_lines(file)):
                    if not frames:
                        record = {name: record[name] for name in record if name != "frames"}
                    yield Stored(offset=self.first + index, record=record)
            return
        segment = Segment(self.path)
        records = _whole(segment) if frames else segment.records()
        for index, record in enumerate(records):
            yield Stored(offset=self.first + index, record=record)


def _whole(segment: Segment) -> Iterator[dict[str, Any]]:
    for number in range(segment.groups):
        group = segment.group(number)
        yield from (segments.episode_at(group, index) for index in range(group.num_rows))


def _walk(path: Path, *, frames: bool) -> Iterator[Stored]:
    """Yield all there is in order, each place once; the folder may change meanwhile."""
    place = 0
    seen: set[Path] = set()
    while (source := _next(path, place, seen)) is not None:
        try:
            for stored in source.read(frames=frames):
                if stored.offset >= place:
                    yield stored
                    place = stored.offset + 1
        except FileNotFoundError:
            if path.is_file() or not path.exists():
                raise
            continue  # a tail that has become a segment meanwhile
        seen.add(source.path)


def _next(path: Path, place: int, seen: set[Path]) -> _Source | None:
    for source in _sources(path):
        if source.path not in seen and (source.end or source.first + 1) > place:
            return source
    return None


def _sources(path: Path) -> list[_Source]:
    """Return the files of a store by place; of a segment and its tail the segment is first."""
    if path.is_file():
        return [_Source(first=0, path=path)]
    found: list[_Source] = []
    for name in os.listdir(path):
        if match := _SEGMENT.fullmatch(name):
            first, end = int(match[1]), int(match[2])
            found.append(_Source(first=first, end=end, path=path / name))
        elif match := _TAIL.fullmatch(name):
            found.append(_Source(first=int(match[1]), path=path / name))
    return sorted(found, key=lambda source: (source.first, source.end is None))


def _lines(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    begin = 0
    for line in file:
        if not line.endswith(b"\n"):
            return
        try:
            record = json.loads(line)
        except ValueError:  # a line torn by a crash and written over by nothing: the end
            return
        yield begin, record
        begin += len(line)


def _settle(path: Path) -> None:
    """Write the tails that a crash has left as segments, and remove what is covered or torn."""
    end = 0
    for source in _sources(path):
        if source.end is not None:
            end = max(end, source.end)
            continue
        if source.first >= end:
            left = [_kept(stored.record) for stored in source.read(frames=True)]
            if left:
                _write_segment(path, source.first, left)
            end = source.first + len(left)
        source.path.unlink()
    for file in path.glob(".*.part"):
        file.unlink()


def _kept(record: dict[str, Any]) -> Kept:
    frames = json.dumps(record.pop("frames"))
    return Kept(record=record, text=json.dumps(record), frames=frames)


def _write(path: Path, first: int, episodes: list[Kept]) -> None:
    """Write a segment and remove the tail it covers."""
    _write_segment(path, first, episodes)
    _tail_at(path, first).unlink()


def _write_segment(path: Path, first: int, episodes: list[Kept]) -> None:
    end = first + len(episodes)
    segments.write(path / f"episodes-{first:09}-{end:09}.parquet", first, episodes)
    _sync(path)


def _tail_at(path: Path, first: int) -> Path:
    return path / f"_tail-{first:09}.jsonl"


def _is_ours(name: str) -> bool:
    inner = name.removeprefix(".").removesuffix(".part")
    return _SEGMENT.fullmatch(inner) is not None or _TAIL.fullmatch(name) is not None


def _sync(folder: Path) -> None:
    """Make sure that the names in a folder are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
