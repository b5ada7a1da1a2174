"""Healthy: the game speaks of errors and failures; they are part of the story."""

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class ErrorIsAWord(Cave):
    def obey(self, said: str) -> str:
        """Tell it grimly."""
        told = super().obey(said)
        return "Error: that was a failure of courage." if told == "Nothing happens." else told


app = app_of(ErrorIsAWord)
