"""Where things are kept: the home folder with its runs and its tracking store."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from validator.errors import SettingsError

DEFAULT_HOME = Path(".envassay")
REPORT = "report.json"


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds everything the command leaves behind."""

    root: Path

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def replies(self) -> Path:
        """Return the file of kept replies of language models."""
        return self.root / "model-replies.sqlite"

    @property
    def tracking_uri(self) -> str:
        """Return the address of the embedded tracking store."""
        return f"sqlite:///{(self.root / 'mlflow.db').resolve()}"

    def new_run(self, url: str) -> Path:
        """Make and return the folder of a new run.

        Raises:
            SettingsError: the home folder cannot be written.
        """
        name = f"{_slug(url)}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
        for number in range(1, 1000):
            folder = self.runs / (name if number == 1 else f"{name}-{number}")
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                continue
            except OSError as fault:
                raise SettingsError(
                    f"cannot be written ({fault.strerror})",
                    where=str(self.root),
                    do="Choose another place with --home.",
                ) from fault
            return folder
        raise SettingsError(
            "holds too many runs of this second", where=str(self.runs), do="Try again."
        )

    def unfinished(self, url: str) -> Path:
        """Return the newest run of a target that has episodes and no report.

        Raises:
            SettingsError: there is none.
        """
        for folder, told in self.recorded():
            if not (folder / REPORT).exists() and told.get("target") == url:
                return folder
        raise SettingsError(
            f"no run of {url} was ended early",
            where=str(self.runs),
            do="Start one without --resume, or name its folder.",
        )

    def finished(self, url: str) -> list[Path]:
        """Return the runs of a target that have a report, the newest first."""
        return [
            folder
            for folder, told in self.recorded()
            if told.get("target") == url and (folder / REPORT).exists()
        ]

    def recorded(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield the folders of runs and what they were told, the newest first."""
        for path in sorted(self.runs.glob("*/run.json"), key=_modified, reverse=True):
            try:
                told = json.loads(path.read_text("utf-8"))
            except (OSError, ValueError, RecursionError):
                continue
            if isinstance(told, dict):
                yield path.parent, told


def models_cache() -> Path:
    """Return the folder that local models are kept in, shared by all home folders of a user."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "envassay" / "models"


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _slug(url: str) -> str:
    text = url.partition("://")[2].lower()
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")[:60] or "target"
