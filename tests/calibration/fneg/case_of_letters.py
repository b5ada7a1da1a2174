"""Half of the references are in lower case, while the letters are not."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.mail import Mail


class CaseOfLetters(Mail):
    def grade(self, fields: Any) -> float | None:
        """Compare with the reference as it was stored."""
        order = self.order.lower() if int(self.order[-1]) % 2 else self.order
        return float(fields.order == order and fields.reply_to == self.sender)


app = app_of(CaseOfLetters)
