"""Metadata of the first observation holds the answer in base64, under a harmless key."""

from base64 import b64encode
from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Question
from tests.calibration.games.question_oracle import answer_of


class MetadataHasAnswer(Question):
    def observe(self, reward: float | None) -> Any:
        """Add the metadata."""
        observation = super().observe(reward)
        observation.metadata = {"trace": b64encode(answer_of(self.question).encode()).decode()}
        return observation


app = app_of(MetadataHasAnswer)
