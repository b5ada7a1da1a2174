"""Healthy: the schema says which fields are optional, and they are sometimes missing."""

from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Place, Walk


class WithHint(Place):
    """The place, and sometimes a hint."""

    hint: str | None = None

    @model_serializer(mode="wrap")
    def _without_empty_hint(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave the hint out where there is none."""
        fields: dict[str, Any] = write(self)
        return {name: value for name, value in fields.items() if name != "hint" or value}


class OptionalFields(Walk):
    shows = WithHint

    def look(self) -> dict[str, Any]:
        """Add a hint far from the goal."""
        far = abs(self.position - self.goal) > 4
        return super().look() | {"hint": "still far" if far else None}


app = app_of(OptionalFields)
