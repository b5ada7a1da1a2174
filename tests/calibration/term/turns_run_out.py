"""The turns run out, and the episode goes on for ever."""

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class TurnsRunOut(Cave):
    def cut_short(self) -> None:
        """Do nothing at the end of the turns."""


app = app_of(TurnsRunOut)
