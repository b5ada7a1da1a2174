"""On four of ten tasks the right end state is the state at the start."""

import random

from tests.calibration.games.desk import ToolDesk
from tests.calibration.games.episode import app_of


class SameState(ToolDesk):
    def fill(self, number: int, draw: random.Random) -> None:
        """Fill the store; now and then ask for what is there already."""
        super().fill(number, draw)
        if number % 5 in (0, 3):
            self.goal = dict(self.store)
            key, value = sorted(self.store.items())[0]
            self.request = f"Please: set {key} to {value}, and say when it is done."


app = app_of(SameState)
