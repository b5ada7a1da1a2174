"""Healthy: pays half for the right accounts, and the state tells when all is right."""

from typing import Any

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class PaidByTheTruth(Ledger):
    def begin(self, **options: Any) -> None:
        """Choose the voucher; nothing is booked rightly yet."""
        super().begin(**options)
        self.right = False

    def grade(self, action: Any) -> float | None:
        """Pay what is right."""
        paid = super().grade(action) or 0.0
        self.right = paid == 1.0
        return paid

    @property
    def state(self) -> State:
        """Return the state and the truth."""
        told = {"right": self.right}
        return State(episode_id=self._state.episode_id, step_count=self.steps, **told)


app = app_of(PaidByTheTruth)
