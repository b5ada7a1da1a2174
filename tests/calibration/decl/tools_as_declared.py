"""Healthy: four tools are served and declared, in another order."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.kitchen import Kitchen


class ToolsAsDeclared(Kitchen):
    offers = ("taste", *Kitchen.offers)

    def taste(self) -> str:
        """Say what is in the pot."""
        return ", ".join(f"{grams} g of {what}" for what, grams in self.pot.items()) or "nothing"


app = app_of(ToolsAsDeclared)
