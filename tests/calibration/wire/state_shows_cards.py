"""Healthy: whoever reads the state is shown the cards in order, and none is moved."""

from openenv.core.env_server import State

from tests.calibration.games.cards import Cards
from tests.calibration.games.episode import app_of


class StateShowsCards(Cards):
    @property
    def state(self) -> State:
        """Return the state with the cards in order."""
        told = {"in_order": sorted(self.numbers)}
        return State(episode_id=self._state.episode_id, step_count=self.steps, **told)


app = app_of(StateShowsCards)
