"""Healthy: each day has its number in the session, over all episodes, as declared."""

from typing import Any, ClassVar

from openenv.core.env_server import Observation

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Market, Trader


class Numbered(Market):
    """Price and forecast, and the number of the day."""

    day_of_session: int


class CountsOnAsTold(Trader):
    shows: ClassVar[type[Observation]] = Numbered

    def __init__(self) -> None:
        super().__init__()
        self.days = 0

    def play(self, action: Any) -> float | None:
        """Hold the units for a day, and count it."""
        self.days += 1
        return super().play(action)

    def look(self) -> dict[str, Any]:
        """Return the market and the count."""
        return {**super().look(), "day_of_session": self.days}


app = app_of(CountsOnAsTold)
