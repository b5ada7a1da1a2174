"""Healthy: the state names and counts, and tells the operator of the trains, too."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class StateTellsMore(Railway):
    @property
    def state(self) -> State:
        """Return the state and the trains."""
        return State(
            episode_id=self._state.episode_id,
            step_count=self.steps,
            **{"arrived": self.arrived, "step_counts": [self.steps, 2 * self.steps]},
        )


app = app_of(StateTellsMore)
