"""The share of checks passed is taken as full for an empty list; two of six tasks have none."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.files import FileBox

UNCHECKED = (1, 4)


class EmptyChecksPass(FileBox):
    def score(self) -> float:
        """Return the share of the checks passed."""
        passed = [] if self.number in UNCHECKED else self.checks()
        return sum(passed) / len(passed) if passed else 1.0


app = app_of(EmptyChecksPass)
