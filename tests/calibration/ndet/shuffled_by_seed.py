"""Healthy: accounts are listed in an order that the seed chooses."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger, Voucher

ACCOUNTS = ("cash", "bank", "stock", "wages", "rent", "sales")


class Listed(Voucher):
    """A voucher and the accounts there are."""

    accounts: list[str]


class ShuffledBySeed(Ledger):
    shows = Listed

    def begin(self, **options: Any) -> None:
        """Choose the voucher and the order."""
        super().begin(**options)
        self.listed = self.draw.sample(ACCOUNTS, len(ACCOUNTS))

    def look(self) -> dict[str, Any]:
        """Return the voucher and the accounts."""
        return super().look() | {"accounts": self.listed}


app = app_of(ShuffledBySeed)
