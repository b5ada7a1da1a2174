"""An earlier report of the same target, and what its run kept."""

from collections.abc import Mapping
from dataclasses import dataclass

from reports.model import Report
from validator.client.frames import Json
from validator.table import EpisodeTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Baseline:
    """An earlier visit."""

    report: Report
    served: Mapping[str, Json] | None = None
    """What the server said of itself; None where only hashes of it were kept."""
    table: EpisodeTable | None = None
    """Its episodes; None where the report stands alone."""
