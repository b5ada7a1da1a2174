"""Healthy: the state counts the episodes of a session for the operator; the agent sees no trace."""

from typing import Any

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader


class CountsForOperator(Trader):
    def __init__(self) -> None:
        super().__init__()
        self.played = 0

    def begin(self, **options: Any) -> None:
        """Count."""
        super().begin(**options)
        self.played += 1

    @property
    def state(self) -> State:
        """The state with the count."""
        return State(**self._state.model_dump(), episodes_played=self.played)


app = app_of(CountsForOperator)
