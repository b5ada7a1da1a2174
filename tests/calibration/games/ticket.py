"""Customer messages to be sent on. Actions are enums; one action, and it is over.

Sixteen tasks, chosen by the reset argument `ticket` (t-01 to t-16), else by the seed.
"""

from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game
from tests.calibration.games.ticket_oracle import TICKETS

IDS = tuple(f"t-{number + 1:02}" for number in range(len(TICKETS)))
QUEUES = ("billing", "technical", "sales", "security")


class Triage(Action):
    """Where the message goes."""

    queue: Literal["billing", "technical", "sales", "security"]
    urgent: bool = Field(description="Whether it cannot wait until tomorrow")


class Message(BaseModel):
    """What the customer wrote."""

    text: str
    channel: str


class Inbox(Observation):
    """One message and the queues there are."""

    message: Message
    queues: list[str]


class Ticket(Game):
    """Pays 1 where queue and urgency are right, else 0."""

    takes: ClassVar[type[Action]] = Triage
    shows: ClassVar[type[Observation]] = Inbox

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def begin(self, **options: Any) -> None:
        """Choose the message."""
        self.number = self.choose(options.get("ticket"))

    def choose(self, ticket: Any) -> int:
        """Return the place of the task asked for, or of one that the seed chooses."""
        if ticket is None:
            return self.draw.randrange(len(TICKETS))
        if ticket not in IDS:
            raise ValueError(f"no ticket {ticket!r}")
        return IDS.index(ticket)

    def play(self, action: Any) -> float | None:
        """Grade the decision."""
        self.over = True
        return self.grade(action)

    def grade(self, action: Any) -> float | None:
        """Return what a decision is worth."""
        _, queue, urgent = TICKETS[self.number]
        return float(action.queue == queue and action.urgent == urgent)

    def look(self) -> dict[str, Any]:
        """Return the message."""
        text = TICKETS[self.number][0]
        channel = ("mail", "chat", "phone")[self.number % 3]
        return {"message": {"text": text, "channel": channel}, "queues": list(QUEUES)}
