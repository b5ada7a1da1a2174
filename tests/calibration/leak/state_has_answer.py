"""The state shows the secret word, and a tool gives the same state to the agent."""

from typing import Any

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordTools


class StateHasAnswer(WordTools):
    offers = ("guess", "show_board", "show_state")

    @property
    def state(self) -> State:
        """The state with the word."""
        return State(**self._state.model_dump(), secret=self.secret)

    def show_state(self) -> dict[str, Any]:
        """Show the state of the game."""
        return dict(self.state.model_dump())


app = app_of(StateHasAnswer)
