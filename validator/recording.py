"""The folder of one run: what it was told, and its episodes as they end."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from validator.client.frames import Json
from validator.errors import SettingsError
from validator.rollouts.store import EpisodeStore, take_over
from validator.settings import Settings
from validator.targets.base import About

TOLD = "run.json"
EPISODES = "episodes"
LINES = "episodes.jsonl"
"""What holds the episodes of a run of an older version."""
REUSE = "reuse"
UNTOLD: Mapping[str, Json] = {REUSE: False}
"""What a run was told that says nothing of it."""
SERVED = "served.json"
"""What the server says of itself, as far as the fingerprint is taken of it."""


class Recording:
    """An open run folder. Opening one that is not empty goes on with that run."""

    def __init__(self, folder: Path, store: EpisodeStore) -> None:
        self.folder = folder
        self.store = store

    @classmethod
    def open(cls, settings: Settings, about: About) -> Self:
        """Open the run's folder, new or to be gone on with.

        Raises:
            SettingsError: it holds the run of another target, version of it, or settings; or
                it cannot be written.
        """
        folder = settings.folder
        told = _told(settings, about)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / TOLD).exists():
                _same(read_told(folder), told, folder)
                if not (folder / EPISODES).exists():
                    take_over(folder / LINES, folder / EPISODES)
                return cls(folder, EpisodeStore.resume(folder / EPISODES))
            store = EpisodeStore.create(folder / EPISODES)
            write_whole(folder / SERVED, json.dumps(dict(about.telling), indent=1) + "\n")
            write_whole(folder / TOLD, json.dumps(told, indent=2) + "\n")
            return cls(folder, store)
        except OSError as fault:
            raise SettingsError(
                f"cannot be written ({fault.strerror})",
                where=str(folder),
                do="Free some room, or choose another place with --home.",
            ) from fault

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.store.close()


def read_told(folder: Path) -> dict[str, Any]:
    """Return what a run was told.

    Raises:
        SettingsError: the folder holds no run.
    """
    try:
        told = json.loads((folder / TOLD).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise SettingsError(
            "holds no run", where=str(folder), do="Give a folder that an earlier run named."
        ) from fault
    if not isinstance(told, dict) or not episodes_of(folder).exists():
        raise SettingsError(
            "holds no run", where=str(folder), do="Give a folder that an earlier run named."
        )
    return told


def episodes_of(folder: Path) -> Path:
    """Return where the episodes of a run are: its store, or the file of an older version."""
    lines = folder / LINES
    return lines if lines.exists() and not (folder / EPISODES).exists() else folder / EPISODES


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader finds all of it or the old one, never a part.

    What is written meanwhile has a name of its own, so that two who write at once do not meet, and
    no link that lies there already is followed. A device or a pipe is written to, not replaced.

    Raises:
        OSError: it cannot be written; nothing is left of the attempt.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_text(text, "utf-8")
        return
    part = path.with_name(f".envassay-{secrets.token_hex(8)}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _told(settings: Settings, about: About) -> dict[str, Json]:
    """Return what decides which episodes a run plays, and how."""
    return {"target": about.url, "fingerprint": about.fingerprint, **told_of(settings)}


def told_of(settings: Settings) -> dict[str, Json]:
    """Return what the user told a run that decides what it plays, whatever the target."""
    told: dict[str, Json] = {
        "budget": settings.budget.name + (" fixed" if settings.fixed else ""),
        "group_size": settings.group_size,
        "seed": settings.seed,
        "probes": list(settings.probes),
        "tiers": dict(settings.tiers),
        "max_steps": settings.max_steps,
        "allow_intrusive": settings.allow_intrusive,
        "manifest": settings.manifest.declared,
    }
    return told if settings.reuse is None else {**told, REUSE: True}


def is_told(old: dict[str, Any], new: Mapping[str, Json]) -> bool:
    """Say whether a run was told the same, as far as `new` says."""
    return all(
        old.get(name, UNTOLD.get(name)) == value for name, value in {**UNTOLD, **new}.items()
    )


def _same(old: dict[str, Any], new: dict[str, Json], folder: Path) -> None:
    for name, value in {**UNTOLD, **new}.items():
        if old.get(name, UNTOLD.get(name)) != value:
            what = (
                "the environment has changed since"
                if name == "fingerprint"
                else (f"{name} was {old.get(name)!r:.80}, now {value!r:.80}")
            )
            raise SettingsError(
                f"holds another run: {what}",
                where=str(folder),
                do="Resume with the settings of that run, or start a new one without --resume.",
            )
