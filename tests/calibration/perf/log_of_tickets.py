"""The state tells the memory that is taken, and each ticket of the session adds to it."""

from typing import Any

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class LogOfTickets(Ticket):
    def __init__(self) -> None:
        super().__init__()
        self.kept: list[bytes] = []

    def begin(self, **options: Any) -> None:
        """Begin, and keep the last mail."""
        super().begin(**options)
        self.kept.append(bytes(20_000))

    @property
    def state(self) -> State:
        """Return the state and the memory that is taken."""
        told = {"memory_bytes": 2_000_000 + sum(map(len, self.kept))}
        return State(episode_id=self._state.episode_id, step_count=self.steps, **told)


app = app_of(LogOfTickets)
