"""One voucher takes longer to grade than is declared for an episode."""

import time
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class OneSlowVoucher(Ledger):
    def grade(self, action: Any) -> float | None:
        """Look the third voucher up in the archive."""
        if self.number == 2:
            time.sleep(0.45)
        return super().grade(action)


app = app_of(OneSlowVoucher)
