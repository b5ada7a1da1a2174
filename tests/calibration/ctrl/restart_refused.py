"""Healthy: one may say restart, reset or undo to the game, and nothing comes of it."""

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class RestartRefused(Cave):
    def obey(self, said: str) -> str:
        """Refuse to begin again."""
        if said in {"restart", "reset", "new game", "undo"}:
            return "You cannot start over. The cave does not forget."
        return super().obey(said)


app = app_of(RestartRefused)
