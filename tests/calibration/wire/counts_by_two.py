"""The state counts each train twice, and names its episodes itself."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class CountsByTwo(Railway):
    @property
    def state(self) -> State:
        """Return the state of the signal box."""
        return State(episode_id="signal-box", step_count=2 * self.steps)


app = app_of(CountsByTwo)
