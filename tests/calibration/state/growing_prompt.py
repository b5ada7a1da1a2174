"""The first observation has the tries of all earlier episodes in front."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.words import WordGame


class GrowingPrompt(WordGame):
    def __init__(self) -> None:
        super().__init__()
        self.earlier: list[dict[str, str]] = []

    def begin(self, **options: Any) -> None:
        """Keep what was tried."""
        self.earlier += self.guesses
        super().begin(**options)

    def look(self) -> dict[str, Any]:
        """Begin with all that was ever tried."""
        seen = super().look()
        return seen if self.steps else seen | {"guesses": self.earlier}


app = app_of(GrowingPrompt)
