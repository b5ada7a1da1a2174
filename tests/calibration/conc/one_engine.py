"""All sessions share one engine that forgets its task when another session resets."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.shelf import Shelf

ENGINE = {"owner": 0}


class OneEngine(Shelf):
    def begin(self, **options: Any) -> None:
        """Load the task into the engine."""
        super().begin(**options)
        ENGINE["owner"] = id(self)

    def play(self, action: Any) -> float | None:
        """Ask the engine."""
        if ENGINE["owner"] != id(self):
            raise RuntimeError("engine was used from another thread")
        return super().play(action)


app = app_of(OneEngine)
