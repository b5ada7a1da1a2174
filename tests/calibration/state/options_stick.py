"""The task asked for at the first reset of a session is served at all later ones."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class OptionsStick(Ticket):
    def __init__(self) -> None:
        super().__init__()
        self.first: int | None = None

    def choose(self, ticket: Any) -> int:
        """Return the first choice."""
        if self.first is None:
            self.first = super().choose(ticket)
        return self.first


app = app_of(OptionsStick)
