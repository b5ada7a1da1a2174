"""Keeps replies, so that a rerun asks the endpoint nothing."""

import hashlib
import json
import logging
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from probes.base import Json

log = logging.getLogger(__name__)

WAIT_SECONDS = 5.0
_TABLE = "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)"


def key_of(request: Mapping[str, Json]) -> str:
    """Return the name of a request: equal requests, and only they, have equal names.

    A request is all that decides the reply: endpoint, model, messages, form, seed, temperature,
    number of the sample. The API key is no part of it.
    """
    text = json.dumps(request, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Cache:
    """A file of replies by request. Prompts are not in it, only their hash.

    A file that cannot be used keeps nothing and ends no run: the run's log says why a rerun will
    ask the endpoint, and pay, again.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: sqlite3.Connection | None = None

    def get(self, key: str) -> dict[str, Json] | None:
        """Return a kept reply, None where there is none."""
        try:
            if (file := self._open()) is None:
                return None
            row = file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            found = json.loads(row[0]) if row else None
        except (sqlite3.Error, OSError, ValueError, RecursionError) as fault:
            self._give_up(fault)
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, reply: Mapping[str, Json]) -> None:
        """Keep a reply."""
        try:
            if (file := self._open()) is not None:
                text = json.dumps(reply, ensure_ascii=True)
                with file:
                    file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, text))
        except (sqlite3.Error, OSError) as fault:
            self._give_up(fault)

    def close(self) -> None:
        """Close the file; it is opened again where it is needed again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> sqlite3.Connection | None:
        if self._path is None:
            return None
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(self._path, timeout=WAIT_SECONDS)
            self._file.execute(_TABLE)
        return self._file

    def _give_up(self, fault: Exception) -> None:
        log.warning("replies are no longer kept in %s (%s)", self._path, type(fault).__name__)
        self.close()
        self._path = None
