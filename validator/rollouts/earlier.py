"""An earlier run that episodes may be taken from."""

from dataclasses import dataclass
from pathlib import Path

from reports.model import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A finished run that was told the same, as far as that decides how an episode is played."""

    report: Report
    episodes: Path
    """Its store."""


PLAYS = ("seed", "max_steps", "manifest")
"""What a run is told that decides how each single episode is played, whatever its number."""
