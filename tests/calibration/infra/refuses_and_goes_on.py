"""Healthy: a filter that the database refuses is an error that counts for nothing."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class RefusesAndGoesOn(Query):
    def check(self, action: Any) -> None:
        """Refuse what the database would."""
        super().check(action)
        if abs(action.where.value) > 10**9:
            raise ValueError("DB_RANGE: value is out of range, nothing was asked")


app = app_of(RefusesAndGoesOn)
