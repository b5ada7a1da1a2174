"""The schema promises how far one is, and the field never arrives."""

from typing import Any

from pydantic import Field

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Place, Walk


class WithProgress(Place):
    """The place, and how much of the way is gone."""

    progress: float = Field(exclude=True)


class MetadataLost(Walk):
    shows = WithProgress

    def look(self) -> dict[str, Any]:
        """Add how much of the way is gone."""
        return super().look() | {"progress": 1.0 - abs(self.position - self.goal) / self.length}


app = app_of(MetadataLost)
