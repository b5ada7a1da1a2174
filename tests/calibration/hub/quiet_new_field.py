"""Vouchers have a new field, and the version is the same."""

from typing import Any

from openenv.core.env_server.types import EnvironmentMetadata

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger, Voucher


class Dated(Voucher):
    """A voucher of some month."""

    month: int


class QuietNewField(Ledger):
    shows = Dated

    def get_metadata(self) -> EnvironmentMetadata:
        """Return name and version."""
        return EnvironmentMetadata(
            name="bookkeeping", description="Vouchers to be booked", version="2.3.0"
        )

    def look(self) -> dict[str, Any]:
        """Return the voucher and its date."""
        return super().look() | {"month": 1 + self.number % 12}


app = app_of(QuietNewField)
