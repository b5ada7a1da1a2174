"""Book a room as a guest wishes, with tools over MCP. The seed of reset chooses guest and rooms."""

from typing import Any, ClassVar

from openenv.core.env_server import Observation

from tests.calibration.games.episode import ToolGame
from tests.calibration.games.files import call


class Wish(Observation):
    """What a new episode begins with."""

    wish: str


class Hotel(ToolGame):
    """Pays 1 at `confirm` where the booking is what the guest wished, else 0."""

    offers: ClassVar[tuple[str, ...]] = ("rooms", "book", "note", "confirm")
    shows = Wish
    cap = 10

    def __init__(self) -> None:
        super().__init__()
        self.offered: dict[int, dict[str, Any]] = {}
        self.wish: dict[str, Any] = {}
        self.book_of: dict[str, Any] = {}
        self.notes: dict[str, Any] = {}

    def begin(self, **options: Any) -> None:
        """Draw six rooms and a guest who wants one of them."""
        numbers = self.draw.sample(range(101, 140), 6)
        kinds = self.draw.sample(
            [(beds, view) for beds in (1, 2, 3) for view in ("sea", "yard", "street")], 6
        )
        self.offered = {
            number: {"beds": beds, "view": view}
            for number, (beds, view) in zip(numbers, kinds, strict=True)
        }
        room = self.draw.choice(numbers)
        self.wish = {"room": room, "nights": self.draw.randrange(1, 8)}
        self.book_of = {}
        self.notes = {}

    def look(self) -> dict[str, Any]:
        """Return the wish in words."""
        room = self.offered[self.wish["room"]]
        return {
            "wish": f"I would like a room with {room['beds']} beds, view: {room['view']}, "
            f"for {self.wish['nights']} nights. Please book and confirm."
        }

    def score(self) -> float:
        """Compare booking and wish."""
        return float(self.book_of == self.wish)

    # The tools.

    def rooms(self) -> list[dict[str, Any]]:
        """List the free rooms."""
        return [{"room": number, **self.offered[number]} for number in sorted(self.offered)]

    def book(self, room: int, nights: int) -> str:
        """Book a room, in place of what was booked before."""
        if room not in self.offered:
            raise ValueError(f"there is no room {room}")
        self.book_of = {"room": room, "nights": nights}
        return f"room {room} for {nights} nights"

    def note(self, name: str, text: str) -> str:
        """Keep a note for yourself."""
        if len(self.notes) >= 20 or len(name) + len(text) > 500:
            raise ValueError("the note-book is full")
        self.notes[name] = text
        return "noted"

    def confirm(self) -> str:
        """Say that you are done, which ends the episode."""
        self.over = True
        return "thank you"


def solution(seed: int) -> list[dict[str, Any]]:
    """Return the tool calls that serve the guest of that seed."""
    hotel = Hotel()
    hotel.reset(seed=seed)
    return [call("rooms"), call("book", **hotel.wish), call("confirm")]
