"""Every reset looks for a file of curves that is not in the image."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.pumps import Pumps


class NeverBegins(Pumps):
    def begin(self, **options: Any) -> None:
        """Load the curves."""
        raise FileNotFoundError("curves.json")


app = app_of(NeverBegins)
