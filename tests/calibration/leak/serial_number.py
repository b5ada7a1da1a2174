"""The serial number on the door is the code, each digit as two hexadecimal ones."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.safe import Safe


class SerialNumber(Safe):
    def engraving(self) -> str:
        """Add the serial number."""
        code = "".join(map(str, self.secret))
        return f"{super().engraving()}, no. {code.encode().hex()}"


app = app_of(SerialNumber)
