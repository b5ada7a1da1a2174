"""Tells a run to a file, a line an event, for a page that follows it."""

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from reports.safe import plain
from validator.errors import SettingsError
from validator.events import (
    EpisodeEnded,
    EpisodesTaken,
    Event,
    Reached,
    RolloutsStopped,
    RunPlanned,
    SessionsChanged,
)


class EventFile:
    """A listener that writes JSON lines, each whole when it is there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        try:
            self._file = self._path.open("w", encoding="utf-8")
        except OSError as fault:
            raise SettingsError(
                f"{self._path} cannot be written ({fault.strerror})",
                where="--events",
                do="Name a file in a folder that exists.",
            ) from fault
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def __call__(self, event: Event) -> None:
        told = _told(event)
        if told is None or self._file is None:
            return
        self._file.write(json.dumps({"at": round(event.at, 3), **told}) + "\n")
        self._file.flush()


def _told(event: Event) -> dict[str, Any] | None:
    match event:
        case Reached(name=name, url=url):
            return {"event": "reached", "name": plain(name), "url": plain(url)}
        case RunPlanned(planned=planned, kept=kept):
            return {"event": "planned", "planned": planned, "kept": kept}
        case EpisodesTaken(episodes=taken):
            return {"event": "planned", "planned": 0, "kept": taken}
        case EpisodeEnded(episode=episode):
            outcome = type(episode.outcome).__name__.lower()
            return {"event": "episode", "probe": episode.key.probe, "outcome": outcome}
        case SessionsChanged(open=sessions, refused=refused):
            return {"event": "sessions", "open": sessions, "refused": refused}
        case RolloutsStopped(why=why):
            return {"event": "stopped", "why": plain(why)}
    return None
