"""Any positive raw reward counts as success, and a wrong card has 0.1."""

from typing import Any

from tests.calibration.games.cards import Cards
from tests.calibration.games.episode import app_of


class PositiveIsSuccess(Cards):
    def play(self, action: Any) -> float | None:
        """Take a card."""
        self.over = True
        return float(self.raw(action.card) > 0)


app = app_of(PositiveIsSuccess)
