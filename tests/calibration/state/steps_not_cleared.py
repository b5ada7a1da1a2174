"""The count of commands goes on over resets, so that later episodes end early."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.lift import Lift


class StepsNotCleared(Lift):
    def __init__(self) -> None:
        super().__init__()
        self.commands = 0

    def cut_short(self) -> None:
        """End where the commands are used up."""
        self.commands += 1
        if not self.over and self.commands >= (self.cap or 0):
            self.over = self.truncated = True


app = app_of(StepsNotCleared)
