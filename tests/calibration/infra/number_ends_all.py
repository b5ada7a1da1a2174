"""A position of 1000 units or more overruns the engine's table: the process ends, for all."""

import os
from typing import Any, ClassVar

from openenv.core.env_server import Action

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader


class AnyTrade(Action):
    """Units to hold over the day; negative ones are sold."""

    units: int


class NumberEndsAll(Trader):
    takes: ClassVar[type[Action]] = AnyTrade

    def check(self, action: Any) -> None:
        """Refuse what is a little too much."""
        if abs(action.units) >= 1000:
            os._exit(134)
        if abs(action.units) > 5:
            raise ValueError("LIMIT: five units at most, nothing was traded")


app = app_of(NumberEndsAll)
