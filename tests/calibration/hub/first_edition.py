"""Healthy: names its version, as the later editions do."""

from openenv.core.env_server.types import EnvironmentMetadata

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class FirstEdition(Ledger):
    def get_metadata(self) -> EnvironmentMetadata:
        """Return name and version."""
        return EnvironmentMetadata(
            name="bookkeeping", description="Vouchers to be booked", version="2.3.0"
        )


app = app_of(FirstEdition)
