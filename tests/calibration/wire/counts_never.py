"""The state says that no step was taken, however many were."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift


class CountsNever(Lift):
    @property
    def state(self) -> State:
        """Return the state as it was at the start."""
        return State(episode_id=self._state.episode_id, step_count=0)


app = app_of(CountsNever)
