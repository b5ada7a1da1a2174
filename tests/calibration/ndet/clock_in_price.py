"""From the fourth day on, the price has a part that comes from the clock."""

import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader


class ClockInPrice(Trader):
    def look(self) -> dict[str, Any]:
        """Return the market, with a tick."""
        tick = time.time_ns() // 1000 % 100 / 100 if self.steps > 3 else 0.0
        return super().look() | {"price": self.price + tick}


app = app_of(ClockInPrice)
