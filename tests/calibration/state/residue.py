"""Reset draws a new goal and leaves the store as the last episode left it."""

from typing import Any

from tests.calibration.games.desk import ToolDesk
from tests.calibration.games.episode import app_of


class Residue(ToolDesk):
    def begin(self, **options: Any) -> None:
        """Keep the store, if there is one."""
        left = self.store
        super().begin(**options)
        self.store = left or self.store


app = app_of(Residue)
