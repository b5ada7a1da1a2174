"""Healthy: later episodes of a session are harder, as declared; a new session begins afresh."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps
from tests.calibration.games.lamps_oracle import SIZE, toggled


class Curriculum(Lamps):
    def __init__(self) -> None:
        super().__init__()
        self.played = 0

    def begin(self, **options: Any) -> None:
        """Light more lamps the more was played."""
        lamps = [False] * SIZE
        for switch in self.draw.sample(range(SIZE), min(4, 2 + self.played // 3)):
            lamps = toggled(lamps, switch)
        self.lamps = lamps
        self.played += 1


app = app_of(Curriculum)
