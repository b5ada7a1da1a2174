"""Healthy: a field may be a number, a list or null, and the schema says so."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query, Sheet


class Union(Sheet):
    """The table, with an answer of several types."""

    found: int | list[int] | None = None  # type: ignore[assignment]


class NullableUnion(Query):
    shows = Union

    def look(self) -> dict[str, Any]:
        """Say what was found: nothing yet, one article, or a list."""
        seen = super().look()
        found = self.found[0] if self.found and len(self.found) == 1 else self.found
        return seen | {"found": found}


app = app_of(NullableUnion)
