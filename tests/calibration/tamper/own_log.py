"""Healthy: the agent may write a reward file of its own, and nothing reads it."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.files import FileBox


class OwnLog(FileBox):
    def begin(self, **options: Any) -> None:
        """Put an empty log beside the task."""
        super().begin(**options)
        self.files["reward.txt"] = "0.0\n"


app = app_of(OwnLog)
