"""The reward depends on the seed alone: half of the tasks are won, the others lost."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.shelf import Shelf


class SeedDecides(Shelf):
    def begin(self, **options: Any) -> None:
        """Toss a coin."""
        super().begin(**options)
        self.luck = self.draw.choice([0.0, 1.0])

    def grade(self, order: list[int], right: list[int]) -> float:
        """Return the coin."""
        return self.luck


app = app_of(SeedDecides)
