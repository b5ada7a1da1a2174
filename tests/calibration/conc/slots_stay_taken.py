"""A session that breaks off in the middle of an episode keeps its slot for half a minute."""

import time

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater

HELD: list[float] = []


class SlotsStayTaken(Heater):
    """Twelve rooms."""

    def __init__(self) -> None:
        super().__init__()
        now = time.monotonic()
        HELD[:] = [until for until in HELD if until > now]
        if len(HELD) >= 12:
            raise RuntimeError("all rooms are taken")

    def close(self) -> None:
        """Leave the room, or leave it locked."""
        if not self.over:
            HELD.append(time.monotonic() + 30)


app = app_of(SlotsStayTaken)
