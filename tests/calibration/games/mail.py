"""A letter to be read: which order is it about, and who is to be answered?

The action is an object of two free texts; one action, and it is over. The seed of reset writes
the letter, which must hold the answer.
"""

import string
from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game

NAMES = ("ana", "bert", "cora", "dario", "elif", "frida", "goran", "hanna", "ivo", "jule")
WARES = ("kettle", "bicycle", "blanket", "telescope", "umbrella", "carpet")


class Fields(BaseModel):
    """What was read."""

    order: str = Field(max_length=2000, description="Order number, two letters, a dash, digits")
    reply_to: str = Field(max_length=2000, description="Address of the sender")


class Extract(Action):
    """The fields of the letter."""

    fields: Fields


class Letter(BaseModel):
    """A letter."""

    sender: str
    subject: str
    body: str


class Post(Observation):
    """The letter to be read."""

    letter: Letter
    remark: str = ""


class Mail(Game):
    """Pays 1 where both fields are right, else 0."""

    takes: ClassVar[type[Action]] = Extract
    shows: ClassVar[type[Observation]] = Post

    def __init__(self) -> None:
        super().__init__()
        self.order = self.sender = self.body = self.ware = ""
        self.remark = ""

    def begin(self, **options: Any) -> None:
        """Write a letter."""
        letters = "".join(self.draw.choices(string.ascii_uppercase, k=2))
        self.order = f"{letters}-{self.draw.randrange(10_000, 100_000)}"
        self.sender = f"{self.draw.choice(NAMES)}{self.draw.randrange(100)}@example.org"
        self.ware = self.draw.choice(WARES)
        weeks = self.draw.randrange(2, 9)
        self.body = (
            f"Good day, {weeks} weeks ago I bought a {self.ware} from you, which has not come. "
            f"The number of my order is {self.order}. My house number is "
            f"{self.draw.randrange(1, 200)}. Please tell me when I can expect it."
        )
        self.remark = ""

    def play(self, action: Any) -> float | None:
        """Grade the fields."""
        self.over = True
        return self.grade(action.fields)

    def grade(self, fields: Any) -> float | None:
        """Return what the fields are worth."""
        return float(fields.order == self.order and fields.reply_to == self.sender)

    def look(self) -> dict[str, Any]:
        """Return the letter."""
        letter = {"sender": self.sender, "subject": f"My {self.ware}", "body": self.body}
        return {"letter": letter, "remark": self.remark}
