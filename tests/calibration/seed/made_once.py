"""The generator is made with the session and runs on; the seed of reset does nothing."""

import random

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift


class MadeOnce(Lift):
    def __init__(self) -> None:
        super().__init__()
        self.chance = random.Random()

    def generator(self, seed: int | None) -> random.Random:
        """Return the generator of the session."""
        return self.chance


app = app_of(MadeOnce)
