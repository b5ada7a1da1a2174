"""Whoever reads the state makes the dispatcher draw the coming trains anew."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import PLATFORMS, TRAINS, Railway


class StateDraws(Railway):
    @property
    def state(self) -> State:
        """Return the state, with a forecast."""
        left = TRAINS - len(self.arrived)
        if not self.over and left > 0:
            self.trains[-left:] = [self.draw.choice(PLATFORMS) for _ in range(left)]
        return super().state


app = app_of(StateDraws)
