"""Healthy: the state route holds the word, but nothing that the agent is given does."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordGame


class OrchestratorState(WordGame):
    @property
    def state(self) -> State:
        """The state with the word, for the operator."""
        return State(**self._state.model_dump(), secret=self.secret)


app = app_of(OrchestratorState)
