"""Healthy: the marks of each train spread by 0.06, their mean by 0.04, and 0.05 is declared."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import TRAINS, Railway

ENTROPY = random.SystemRandom()


class AsLoudAsDeclared(Railway):
    def pay(self, there: bool) -> float | None:
        """Return the judge's mark of a train."""
        mark = (0.7 if there else 0.3) + ENTROPY.uniform(-0.1, 0.1)
        return mark / TRAINS


app = app_of(AsLoudAsDeclared)
