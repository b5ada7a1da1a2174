"""Looks for the order number anywhere in the fields, so that a copy of the letter wins."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.mail import Mail


class CopyTheLetter(Mail):
    def grade(self, fields: Any) -> float | None:
        """Look for the number."""
        return float(self.order in f"{fields.order} {fields.reply_to}")


app = app_of(CopyTheLetter)
