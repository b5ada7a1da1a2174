"""Healthy: a move of the game takes the last move back and costs reward; the episode goes on."""

from typing import Any, Literal

from openenv.core.env_server import Action

from tests.calibration.games.episode import app_of
from tests.calibration.games.walk import Walk


class MoveOrUndo(Action):
    """One step, or one step back."""

    move: Literal["left", "right", "stay", "undo"]


class UndoTool(Walk):
    takes = MoveOrUndo

    def __init__(self) -> None:
        super().__init__()
        self.past: list[int] = []

    def begin(self, **options: Any) -> None:
        """Begin without a past."""
        super().begin(**options)
        self.past = []

    def play(self, action: Any) -> float | None:
        """Move, or take the last move back."""
        if action.move != "undo":
            self.past.append(self.position)
            return super().play(action)
        if self.past:
            self.position = self.past.pop()
        return -0.05


app = app_of(UndoTool)
