"""Where there is a reward file in the folder, the grader reads it and never clears it."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.files import FileBox


class FileReward(FileBox):
    def score(self) -> float:
        """Return what the reward file says, where there is one."""
        try:
            return float(self.files["reward.txt"])
        except (KeyError, ValueError):
            return super().score()


app = app_of(FileReward)
