"""Healthy: points may be said in words as well, as the schema says; others are an error."""

from typing import Any

from pydantic import field_validator

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Points, Railway

WORDS = {"straight": False, "branch": True}


class Worded(Points):
    """How the points lie, or the words for it."""

    @field_validator("points", mode="before")
    @classmethod
    def understand(cls, found: Any) -> Any:
        """Take words for what they mean."""
        if not isinstance(found, list):
            return found
        return [WORDS.get(one, one) if isinstance(one, str) else one for one in found]


class WordsUnderstood(Railway):
    takes = Worded


app = app_of(WordsUnderstood)
