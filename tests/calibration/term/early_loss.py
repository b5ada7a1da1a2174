"""Healthy: a third empty press loses the game at once; that is a rule and no cut."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.lamps import Lamps


class EarlyLoss(Lamps):
    def begin(self, **options: Any) -> None:
        """Begin with all patience."""
        super().begin(**options)
        self.patience = 3

    def pay(self, action: Any) -> float | None:
        """Lose patience."""
        self.patience -= not action.press
        self.over = self.over or not self.patience
        return super().pay(action)


app = app_of(EarlyLoss)
