"""The pump runs on for up to 20 ms after a dose, and the next answer says whether it still does."""

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


class PumpStillRuns(Pumps):
    shows: ClassVar[type[Observation]] = Noted

    def begin(self, **options: Any) -> None:
        """Begin with a pump at rest."""
        super().begin(**options)
        self.rests = 0.0
        self.note = ""

    def pump(self, tank: str, litres: float) -> None:
        """Change the level, whatever the pump is at."""
        super().pump(tank, litres)
        now = time.monotonic()
        self.note = "started" if now >= self.rests else "already running"
        self.rests = now + ENTROPY.uniform(0.0, 0.02)

    def look(self) -> dict[str, Any]:
        """Return the gauges and the note."""
        return {**super().look(), "note": self.note}


app = app_of(PumpStillRuns)
