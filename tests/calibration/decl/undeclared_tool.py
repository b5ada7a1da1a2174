"""A fourth tool empties the pot, and the manifest knows of three."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.kitchen import Kitchen


class UndeclaredTool(Kitchen):
    offers = (*Kitchen.offers, "empty_pot")

    def empty_pot(self) -> str:
        """Begin with an empty pot again."""
        self.pot = {}
        return "empty"


app = app_of(UndeclaredTool)
