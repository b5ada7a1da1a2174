"""A command of more than 80 characters crashes the parser: reward 0, done, and no error."""

from typing import Any

from tests.calibration.games.cave import Cave
from tests.calibration.games.episode import app_of


class CrashIsZero(Cave):
    def play(self, action: Any) -> float | None:
        """Parse and obey."""
        try:
            return super().play(action)
        except MemoryError as fault:
            self.note = f"internal error: {fault}"
            self.over = True
            return 0.0

    def obey(self, said: str) -> str:
        """Parse what is short."""
        if len(said) > 80:
            raise MemoryError("parser out of space")
        return super().obey(said)


app = app_of(CrashIsZero)
