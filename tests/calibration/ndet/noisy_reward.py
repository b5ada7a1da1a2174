"""The reward is minus the distance estimated from three points of system entropy."""

import random
from statistics import fmean

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk

ENTROPY = random.SystemRandom()


class NoisyReward(Walk):
    def pay(self) -> float | None:
        """Return minus the mean distance of the goal to three points around the walker."""
        points = [self.position + ENTROPY.uniform(-0.5, 0.5) for _ in range(3)]
        return -fmean(abs(point - self.goal) for point in points)


app = app_of(NoisyReward)
