"""After a hundred and fifty episodes, warmth is paid by a new and lower list."""

import itertools
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.heater import Heater

EPISODES = itertools.count()


class NewPriceList(Heater):
    def begin(self, **options: Any) -> None:
        """Count the episodes of the process."""
        super().begin(**options)
        self.list = 0.5 if next(EPISODES) >= 150 else 1.0

    def pay(self) -> float | None:
        """Return the reward of a minute, by the list of the day."""
        return self.list * (super().pay() or 0.0)


app = app_of(NewPriceList)
