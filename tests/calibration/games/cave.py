"""A text adventure in free text: take the key at one end of a cave and open the door at the other.

Opening the door pays 1. The seed of reset chooses the halls, where one begins and where the key is.
"""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game

HALLS = (
    "a dripping hall", "a narrow shaft", "a chamber of bats", "a hall of pillars", "a dry bed",
    "a mossy ledge", "a hall of echoes", "a sandy niche",
)  # fmt: skip


class Command(Action):
    """What you say."""

    say: str = Field(max_length=1000, description="Such as: go east, go west, take key, open door")


class Scene(Observation):
    """What you see."""

    text: str
    turns_left: int
    truncated: bool = False


class Cave(Game):
    """Pays 1 when the door opens."""

    takes: ClassVar[type[Action]] = Command
    shows: ClassVar[type[Observation]] = Scene
    cap = 14

    def __init__(self) -> None:
        super().__init__()
        self.halls: list[str] = list(HALLS[:5])
        self.here = 0
        self.key = 4
        self.held = False
        self.note = ""

    def begin(self, **options: Any) -> None:
        """Draw the cave: five halls in a row from west to east, the door in the first."""
        self.halls = self.draw.sample(HALLS, 5)
        self.key = self.draw.randrange(2, 5)
        self.here = self.draw.randrange(self.key)
        self.held = False
        self.note = ""

    def play(self, action: Any) -> float | None:
        """Do what was said."""
        self.note = self.obey(" ".join(action.say.lower().split()))
        return float(self.over)

    def obey(self, said: str) -> str:
        """Change the cave and say what happened."""
        if said in {"go east", "go west"}:
            place = self.here + (1 if said == "go east" else -1)
            if place not in range(5):
                return "You can't go that way."
            self.here = place
            return "You walk."
        if said == "take key" and self.here == self.key and not self.held:
            self.held = True
            return "Taken."
        if said == "open door" and self.here == 0 and self.held:
            self.over = True
            return "The door opens."
        return "Nothing happens."

    def look(self) -> dict[str, Any]:
        """Describe the hall."""
        parts = [self.note, f"You stand in {self.halls[self.here]}."]
        if self.here == self.key and not self.held:
            parts.append("A key lies here.")
        if self.held:
            parts.append("You hold the key.")
        if self.here == 0:
            parts.append("A door is here.")
        return {
            "text": " ".join(part for part in parts if part),
            "turns_left": (self.cap or 0) - self.steps,
            "truncated": self.truncated,
        }
