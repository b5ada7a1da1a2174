"""After the last day each further trade is paid like the last one."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Trader


class EarnsAfterClose(Trader):
    def after_end(self, action: Any) -> Any:
        """Trade on."""
        return self.observe(self.pay(action.units, self.changes[-1]))


app = app_of(EarnsAfterClose)
