"""A field of the action gives the session another seed in the middle of an episode."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift, Order


class SeedingOrder(Order):
    """One command, and a seed where one is wanted."""

    seed: int | None = None


class ActionReseeds(Lift):
    takes = SeedingOrder

    def play(self, action: Any) -> float | None:
        """Take the seed, and obey."""
        if action.seed is not None:
            self.draw = self.generator(action.seed)
            self.begin()
        return super().play(action)


app = app_of(ActionReseeds)
