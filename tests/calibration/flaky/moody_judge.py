"""The grade has noise of a fifth, from system entropy, and no judge is declared."""

import random
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.ticket import Ticket

ENTROPY = random.SystemRandom()


class MoodyJudge(Ticket):
    def grade(self, action: Any) -> float | None:
        """Grade as one feels."""
        noise = ENTROPY.uniform(-0.2, 0.2)
        return min(1.0, max(0.0, 0.3 + 0.5 * (super().grade(action) or 0.0) + noise))


app = app_of(MoodyJudge)
