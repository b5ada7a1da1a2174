"""The schema promises how many minutes are left; what arrives is `left`."""

from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater, Meter


class Renamed(Meter):
    """The reading, written otherwise than promised."""

    @model_serializer(mode="wrap")
    def _rename(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        return {("left" if name == "minutes_left" else name): v for name, v in fields.items()}


class RenamedField(Heater):
    shows = Renamed


app = app_of(RenamedField)
