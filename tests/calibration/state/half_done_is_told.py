"""Healthy: what was left half-way is kept in the state, for the operator; all else is new."""

from typing import Any

from openenv.core.env_server import State

from tests.calibration.games.desk import ToolDesk
from tests.calibration.games.episode import app_of


class HalfDoneIsTold(ToolDesk):
    def __init__(self) -> None:
        super().__init__()
        self.left: dict[str, str] = {}

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> Any:
        """Note the store of an episode that has not ended."""
        self.left = {} if self.over else self.store
        return super().reset(seed, episode_id, **options)

    @property
    def state(self) -> State:
        """The state with what was left."""
        return State(**self._state.model_dump(), left=self.left)


app = app_of(HalfDoneIsTold)
