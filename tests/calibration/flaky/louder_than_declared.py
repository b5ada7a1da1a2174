"""The marks of each train spread by 0.17, and a spread of 0.02 is declared of their mean."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import TRAINS, Railway

ENTROPY = random.SystemRandom()


class LouderThanDeclared(Railway):
    def pay(self, there: bool) -> float | None:
        """Return the judge's mark of a train."""
        mark = (0.7 if there else 0.3) + ENTROPY.uniform(-0.3, 0.3)
        return mark / TRAINS


app = app_of(LouderThanDeclared)
