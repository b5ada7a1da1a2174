"""Healthy: the schema bounds the levels, and pumping stops there."""

from typing import Any

from pydantic import BaseModel, Field

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Gauge, Pumps


class Deep(BaseModel):
    """A tank and its depth."""

    level: float = Field(ge=-20, le=40)
    wanted: float


class Bounded(Gauge):
    """Both tanks."""

    tanks: dict[str, Any] = Field(
        json_schema_extra={"additionalProperties": Deep.model_json_schema()}
    )


class BoundsKept(Pumps):
    shows = Bounded

    def pump(self, tank: str, litres: float) -> None:
        """Change the level, within the tank."""
        super().pump(tank, litres)
        self.levels[tank] = min(max(self.levels[tank], -20.0), 40.0)


app = app_of(BoundsKept)
