"""Healthy: the first reset of the process says that the pump warms up; later ones work."""

import itertools
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Pumps

BEGUN = itertools.count()


class WarmsUp(Pumps):
    def begin(self, **options: Any) -> None:
        """Begin, if the pump is warm."""
        if next(BEGUN) == 0:
            raise RuntimeError("the pump warms up, try again")
        super().begin(**options)


app = app_of(WarmsUp)
