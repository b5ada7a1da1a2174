"""Healthy: the answer is asked for in a box, and only what is in the box is graded."""

import re

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Fractions


class BoxAndAnswer(Fractions):
    format = r"a decimal number in \boxed{}"

    def grade(self, answer: str) -> float | None:
        """Grade what the only box holds."""
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", answer)
        return super().grade(boxes[0]) if len(boxes) == 1 else 0.0


app = app_of(BoxAndAnswer)
