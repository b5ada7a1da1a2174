"""Points that are no list are taken for a command to leave, and the session is gone."""

from typing import Any

from pydantic import field_validator

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Points, Railway


class Commanded(Points):
    """How the points lie, or a command."""

    @field_validator("points", mode="before")
    @classmethod
    def command(cls, found: Any) -> Any:
        """Leave where there is no list."""
        if not isinstance(found, list):
            raise SystemExit
        return found


class WordsEndIt(Railway):
    takes = Commanded


app = app_of(WordsEndIt)
