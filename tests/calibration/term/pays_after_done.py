"""Each step after the end pays 1 more."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class PaysAfterDone(Walk):
    def after_end(self, action: Any) -> Any:
        """Answer a step that comes after the end."""
        return self.observe(1.0)


app = app_of(PaysAfterDone)
