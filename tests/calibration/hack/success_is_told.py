"""Healthy: pays a share for part of the order, and the state says whether all of it was right."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.shelf import Shelf


class SuccessIsTold(Shelf):
    solved = False

    def grade(self, order: list[int], right: list[int]) -> float:
        """Return the share that is in its place."""
        self.solved = order == right
        return sum(a == b for a, b in zip(order, right, strict=True)) / len(right)

    @property
    def state(self) -> State:
        """The state, with whether the order was right."""
        return State(**self._state.model_dump(), solved=self.solved)


app = app_of(SuccessIsTold)
