"""Healthy: some levels need one press and some four, so that groups differ."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps
from tests.calibration.games.lamps_oracle import SIZE, toggled


class MixedDifficulty(Lamps):
    def begin(self, **options: Any) -> None:
        """Draw a level of any difficulty."""
        lamps = [False] * SIZE
        for switch in self.draw.sample(range(SIZE), self.draw.randrange(1, 5)):
            lamps = toggled(lamps, switch)
        self.lamps = lamps


app = app_of(MixedDifficulty)
