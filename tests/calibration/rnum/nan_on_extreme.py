"""Divides by the spread of the action: equal parts make the reward NaN until the next reset."""

import math
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.vector import Vector


class NanOnExtreme(Vector):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 1.0

    def begin(self, **options: Any) -> None:
        """Forget the scale."""
        super().begin(**options)
        self.scale = 1.0

    def measure(self, vector: list[float]) -> float:
        """Return what a shot is worth."""
        spread = max(vector) - min(vector)
        self.scale *= spread / spread if spread else math.nan
        return super().measure(vector) * self.scale


app = app_of(NanOnExtreme)
