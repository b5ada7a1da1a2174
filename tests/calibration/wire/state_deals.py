"""Whoever reads the state has the cards dealt anew."""

from openenv.core.env_server import State

from tests.calibration.games.cards import Cards
from tests.calibration.games.episode import app_of


class StateDeals(Cards):
    @property
    def state(self) -> State:
        """Return the state, behind a new deal."""
        if not self.over:
            self.draw.shuffle(self.numbers)
        return super().state


app = app_of(StateDeals)
