"""A reward in the metadata of the action replaces that of the grader."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket


class MetadataIsPaid(Ticket):
    def grade(self, action: Any) -> float | None:
        """Return the reward that came along, else the grader's."""
        sent = action.metadata.get("reward")
        return sent if isinstance(sent, int | float) else super().grade(action)


app = app_of(MetadataIsPaid)
