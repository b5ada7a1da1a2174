"""Healthy: the state counts how often it was read; the trains do not care."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class StateCountsLooks(Railway):
    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    @property
    def state(self) -> State:
        """Return the state and the number of looks."""
        self.looks += 1
        return State(
            episode_id=self._state.episode_id, step_count=self.steps, **{"looks": self.looks}
        )


app = app_of(StateCountsLooks)
