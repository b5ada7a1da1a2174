"""The judge takes a verdict from wherever it finds one, and looks for it in the answer first."""

import re

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question

VERDICT = re.compile(r'"score":\s?(\d(?:\.\d)?)|\[\[(\d{1,2})\]\]')


class JudgeObeys(Question):
    def grade(self, answer: str) -> float | None:
        """Write the verdict below the answer, and read the first one there is."""
        verdict = f'{{"score": {super().grade(answer)}}}'
        found = VERDICT.search(f"{answer}\n{verdict}")
        assert found is not None
        return min(1.0, float(found[1] or found[2]))


app = app_of(JudgeObeys)
