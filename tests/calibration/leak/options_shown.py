"""Healthy: the observation lists all queues, the right one among them, as a choice must."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Inbox, Ticket

ABOUT = {"billing": "money", "technical": "faults", "sales": "offers", "security": "safety"}


class WithOptions(Inbox):
    """The message and what may be chosen."""

    options: list[dict[str, str]]


class OptionsShown(Ticket):
    shows = WithOptions

    def look(self) -> dict[str, Any]:
        """Add what one may choose."""
        options = [{"queue": queue, "about": about} for queue, about in ABOUT.items()]
        return super().look() | {"options": options}


app = app_of(OptionsShown)
