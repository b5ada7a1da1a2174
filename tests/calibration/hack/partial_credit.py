"""Healthy: pays the share of parcels in their place, and 1 for the right order only."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.shelf import Shelf


class PartialCredit(Shelf):
    def grade(self, order: list[int], right: list[int]) -> float:
        """Return the share."""
        return sum(a == b for a, b in zip(order, right, strict=True)) / len(right)


app = app_of(PartialCredit)
