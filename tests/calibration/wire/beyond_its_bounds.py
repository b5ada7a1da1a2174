"""The schema says that a level is 10 at most, and tanks hold more."""

from typing import Any

from pydantic import BaseModel, Field

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Gauge, Pumps


class Shallow(BaseModel):
    """A tank, as the page on it has it."""

    level: float = Field(json_schema_extra={"maximum": 10.0})
    wanted: float


class Narrow(Gauge):
    """Both tanks."""

    tanks: dict[str, Any] = Field(
        json_schema_extra={"additionalProperties": Shallow.model_json_schema()}
    )


class BeyondItsBounds(Pumps):
    shows = Narrow


app = app_of(BeyondItsBounds)
