"""Healthy: the pump runs for up to 5 ms after a dose, and a dose waits until it rests."""

import random
import time
from typing import Any, ClassVar

from openenv.core.env_server import Observation

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Gauge, Pumps

ENTROPY = random.SystemRandom()


class Noted(Gauge):
    """Both tanks, and a word on the pump."""

    note: str = ""


class PumpAwaited(Pumps):
    shows: ClassVar[type[Observation]] = Noted

    def begin(self, **options: Any) -> None:
        """Begin with a pump at rest."""
        super().begin(**options)
        self.rests = 0.0
        self.note = ""

    def pump(self, tank: str, litres: float) -> None:
        """Wait for the pump, then change the level."""
        time.sleep(max(0.0, self.rests - time.monotonic()))
        super().pump(tank, litres)
        self.note = "started"
        self.rests = time.monotonic() + ENTROPY.uniform(0.0, 0.005)

    def look(self) -> dict[str, Any]:
        """Return the gauges and the note."""
        return {**super().look(), "note": self.note}


app = app_of(PumpAwaited)
