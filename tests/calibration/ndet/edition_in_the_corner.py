"""Healthy: each reset prints a new edition of the plan; its id is all that changes."""

import itertools
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway, Signal

EDITIONS = itertools.count(1)


class Printed(Signal):
    """A plan of some edition."""

    edition_id: str


class EditionInTheCorner(Railway):
    shows = Printed

    def begin(self, **options: Any) -> None:
        """Print the plan."""
        super().begin(**options)
        self.edition = str(next(EDITIONS))

    def look(self) -> dict[str, Any]:
        """Return the plan and its edition."""
        return super().look() | {"edition_id": self.edition}


app = app_of(EditionInTheCorner)
