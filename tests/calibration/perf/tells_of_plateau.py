"""Healthy: keeps the logs of the last sixteen episodes; the memory told rises and then stays."""

from collections import deque
from typing import Any

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class TellsOfPlateau(Railway):
    def __init__(self) -> None:
        super().__init__()
        self.logs: deque[bytearray] = deque(maxlen=16)

    def begin(self, **options: Any) -> None:
        """Begin, with a log of its own."""
        super().begin(**options)
        self.logs.append(bytearray(4096))

    @property
    def state(self) -> State:
        """Return the state and the memory that is taken."""
        told = {"memory_kb": 64 + sum(map(len, self.logs)) // 1024}
        return State(episode_id=self._state.episode_id, step_count=self.steps, **told)


app = app_of(TellsOfPlateau)
