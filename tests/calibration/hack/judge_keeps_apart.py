"""Healthy: the judge reads its own verdict only, and takes the last word for the answer."""

import json

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question


class JudgeKeepsApart(Question):
    def grade(self, answer: str) -> float | None:
        """Keep answer and verdict in fields of their own."""
        words = answer.split()
        record = {"answer": answer, "score": super().grade(words[-1]) if words else 0.0}
        return float(json.loads(json.dumps(record))["score"])


app = app_of(JudgeKeepsApart)
