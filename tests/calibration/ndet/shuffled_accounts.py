"""Accounts are listed in an order from system entropy; what they pay does not depend on it."""

import random
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger, Voucher

ACCOUNTS = ("cash", "bank", "stock", "wages", "rent", "sales")


class Listed(Voucher):
    """A voucher and the accounts there are."""

    accounts: list[str]


class ShuffledAccounts(Ledger):
    shows = Listed

    def look(self) -> dict[str, Any]:
        """Return the voucher and the accounts."""
        return super().look() | {"accounts": random.SystemRandom().sample(ACCOUNTS, len(ACCOUNTS))}


app = app_of(ShuffledAccounts)
