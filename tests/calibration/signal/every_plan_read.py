"""The strongest model brings all three trains home already, the weaker one two."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway


class EveryPlanRead(Railway):
    """`Railway` as it is."""


app = app_of(EveryPlanRead)
