"""Healthy: each observation has its own id and time; all else repeats."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Inbox, Ticket


class Stamped(Inbox):
    """The message with its stamp."""

    request_id: str
    received_at: str


class IdsAndClocks(Ticket):
    shows = Stamped

    def look(self) -> dict[str, Any]:
        """Add id and time."""
        now = datetime.now(UTC).isoformat()
        return super().look() | {"request_id": str(uuid4()), "received_at": now}


app = app_of(IdsAndClocks)
