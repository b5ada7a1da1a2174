"""Healthy: a step after the end gives the last observation again, with reward 0."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class IdempotentAfterDone(Walk):
    def after_end(self, action: Any) -> Any:
        """Answer a step that comes after the end."""
        return self.observe(0.0)


app = app_of(IdempotentAfterDone)
