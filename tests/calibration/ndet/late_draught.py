"""After the sixth turn a draught, drawn from system entropy, moves one back now and then."""

import random

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of

ENTROPY = random.SystemRandom()


class LateDraught(Cave):
    def obey(self, said: str) -> str:
        """Obey, and be blown about."""
        told = super().obey(said)
        if self.steps > 6 and not self.over and ENTROPY.random() < 0.5:
            self.here = max(0, self.here - 1)
            return f"{told} A draught blows you west."
        return told


app = app_of(LateDraught)
