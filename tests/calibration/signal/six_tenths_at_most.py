"""Success is a full point, and the right rows earn six tenths."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class SixTenthsAtMost(Query):
    def grade(self) -> float | None:
        """Return what the rows found are worth."""
        return 0.6 * (super().grade() or 0.0)


app = app_of(SixTenthsAtMost)
