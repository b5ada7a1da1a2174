"""Healthy: each host gives its own id with every signal; all else is the same."""

from typing import Any
from uuid import uuid4

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import Railway, Signal

HOST = str(uuid4())


class Named(Signal):
    """A signal of one host."""

    host_id: str


class NamesItsHost(Railway):
    shows = Named

    def look(self) -> dict[str, Any]:
        """Return the signal and who gives it."""
        return super().look() | {"host_id": HOST}


app = app_of(NamesItsHost)
