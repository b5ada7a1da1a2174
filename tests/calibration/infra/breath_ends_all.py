"""A command of more than 250 characters overruns the parser's buffer: the process ends, for all."""

import os
from typing import Any

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class BreathEndsAll(Cave):
    def check(self, action: Any) -> None:
        """Read the command into the buffer."""
        if len(action.say) > 250:
            os._exit(139)


app = app_of(BreathEndsAll)
