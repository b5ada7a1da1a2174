"""Healthy: each price moves a little by chance that no seed governs, as declared."""

import random
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader

ENTROPY = random.SystemRandom()


class DeclaredDice(Trader):
    def look(self) -> dict[str, Any]:
        """Return the market, with noise on the price."""
        return super().look() | {"price": round(self.price + ENTROPY.uniform(-0.2, 0.2), 3)}


app = app_of(DeclaredDice)
