"""Each reading has the minutes of all episodes of the session, and the manifest is silent on it."""

from typing import Any, ClassVar

from openenv.core.env_server import Observation

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater, Meter


class Served(Meter):
    """What the thermometer shows, and how long it has been in use."""

    minutes_served: int


class CountsOn(Heater):
    shows: ClassVar[type[Observation]] = Served

    def __init__(self) -> None:
        super().__init__()
        self.served = 0

    def play(self, action: Any) -> float | None:
        """Heat for a minute, and count it."""
        self.served += 1
        return super().play(action)

    def look(self) -> dict[str, Any]:
        """Return the reading and the count."""
        return {**super().look(), "minutes_served": self.served}


app = app_of(CountsOn)
