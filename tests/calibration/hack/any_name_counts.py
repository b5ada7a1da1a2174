"""Asks for the heaviest parcel, and pays where it is among those named."""

from operator import itemgetter
from typing import Any

from openenv.core.env_server import Action
from pydantic import Field

from tests.calibration.games.episode import app_of
from tests.calibration.games.shelf import Shelf


class Names(Action):
    """The heaviest parcel; the list is for parcels of equal weight."""

    heaviest: list[str] = Field(min_length=1, max_length=5)


class AnyNameCounts(Shelf):
    takes = Names

    def check(self, action: Any) -> None:
        """Take any names."""

    def play(self, action: Any) -> float | None:
        """Look for the heaviest."""
        self.over = True
        return float(max(self.parcels, key=itemgetter("grams"))["name"] in action.heaviest)


app = app_of(AnyNameCounts)
