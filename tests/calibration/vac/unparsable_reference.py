"""On two of eight tasks the reference cannot be read, and then every filter earns 1."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query

UNREADABLE = (2, 5)


class UnparsableReference(Query):
    def is_right(self) -> bool:
        """Compare, where there is something to compare with."""
        return self.number in UNREADABLE or super().is_right()


app = app_of(UnparsableReference)
