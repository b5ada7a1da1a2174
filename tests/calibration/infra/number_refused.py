"""Healthy: no schema bounds the units, and more than five are an error that trades nothing."""

from typing import Any, ClassVar

from openenv.core.env_server import Action

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader


class AnyTrade(Action):
    """Units to hold over the day; negative ones are sold."""

    units: int


class NumberRefused(Trader):
    takes: ClassVar[type[Action]] = AnyTrade

    def check(self, action: Any) -> None:
        """Refuse what is too much."""
        if abs(action.units) > 5:
            raise ValueError("LIMIT: five units at most, nothing was traded")


app = app_of(NumberRefused)
