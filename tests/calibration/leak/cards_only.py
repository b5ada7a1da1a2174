"""Healthy: whatever is read that is no card is an error, and names none of the files there are."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.kitchen import CARDS, Kitchen


class CardsOnly(Kitchen):
    def read_card(self, name: str) -> str:
        """Read the recipe card of a dish, and of no other file."""
        if name not in CARDS:
            return "error: no such card; solutions, oracles and answers are not kept here"
        return super().read_card(name)


app = app_of(CardsOnly)
