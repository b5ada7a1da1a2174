"""Writes each exercise as it ends and reads them back: one JSON object a line."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from validator.client.frames import Frame
from validator.drills.base import DrillRecord
from validator.recording import write_whole


def append(path: Path, record: DrillRecord) -> None:
    """Write one record."""
    with path.open("ab") as file:
        file.write(_line(record).encode("utf-8"))


def rewrite(path: Path, records: Iterable[DrillRecord]) -> None:
    """Write a file anew with whole records, so that what is appended follows a whole line.

    A run that is ended meanwhile leaves the old file: no exercise is lost.
    """
    write_whole(path, "".join(map(_line, records)))


def _line(record: DrillRecord) -> str:
    told = {
        "name": record.name,
        "facts": dict(record.facts),
        "fault": record.fault,
        "fatal": list(record.fatal),
        "sessions": [
            [[frame.way[0], frame.text, round(frame.seconds, 6)] for frame in frames]
            for frames in record.sessions
        ],
    }
    return json.dumps(told) + "\n"


def read(path: Path) -> Iterator[DrillRecord]:
    """Yield the records of a file; a line torn by a crash is left out, and what follows it."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                found = json.loads(line)
            except ValueError:
                return
            yield DrillRecord(
                name=found["name"],
                facts=found["facts"],
                fault=found["fault"],
                fatal=tuple(found.get("fatal", ())),
                sessions=tuple(
                    tuple(
                        Frame("sent" if way == "s" else "received", text, seconds)
                        for way, text, seconds in frames
                    )
                    for frames in found["sessions"]
                ),
            )
