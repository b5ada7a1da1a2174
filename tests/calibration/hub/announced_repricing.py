"""Healthy: pays 0.7 for the accounts from version 3.0.0 on."""

from typing import Any

from openenv.core.env_server.types import EnvironmentMetadata

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class AnnouncedRepricing(Ledger):
    def get_metadata(self) -> EnvironmentMetadata:
        """Return name and version."""
        return EnvironmentMetadata(
            name="bookkeeping", description="Vouchers to be booked", version="3.0.0"
        )

    def grade(self, action: Any) -> float | None:
        """Weigh the accounts more."""
        return {0.5: 0.7}.get(paid := super().grade(action) or 0.0, paid)


app = app_of(AnnouncedRepricing)
