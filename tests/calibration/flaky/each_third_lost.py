"""Of all gradings in the process each third one is lost and pays 0."""

import itertools

from tests.calibration.games.episode import app_of
from tests.calibration.games.shelf import Shelf

GRADINGS = itertools.count()


class EachThirdLost(Shelf):
    def grade(self, order: list[int], right: list[int]) -> float:
        """Grade, unless this one is lost."""
        return 0.0 if next(GRADINGS) % 3 == 2 else super().grade(order, right)


app = app_of(EachThirdLost)
