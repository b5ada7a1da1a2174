"""Pays in percent where the declared range is 0 to 1."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class Percent(Query):
    def grade(self) -> float | None:
        """Return percent."""
        return 100.0 * self.is_right()


app = app_of(Percent)
