"""Cook by recipe cards, with tools over MCP. The seed of reset draws dish and guests."""

from typing import Any, ClassVar

from openenv.core.env_server import Observation

from tests.calibration.games.episode import ToolGame
from tests.calibration.games.files import call

CARDS: dict[str, dict[str, int]] = {
    "pancakes": {"flour": 60, "milk": 120},
    "porridge": {"oats": 40, "milk": 200},
    "dumplings": {"flour": 90, "cheese": 30},
    "omelette": {"cheese": 25, "milk": 15},
}


class Order(Observation):
    """What a new episode begins with."""

    order: str


class Kitchen(ToolGame):
    """Pays at `serve` the share of ingredients that are in the pot as the card says, else 0."""

    offers: ClassVar[tuple[str, ...]] = ("read_card", "weigh", "serve")
    shows = Order
    cap = 8

    def __init__(self) -> None:
        super().__init__()
        self.dish = ""
        self.guests = 1
        self.pot: dict[str, int] = {}

    def begin(self, **options: Any) -> None:
        """Draw the order."""
        self.dish = self.draw.choice(sorted(CARDS))
        self.guests = self.draw.randrange(2, 9)
        self.pot = {}

    def look(self) -> dict[str, Any]:
        """Return the order in words."""
        return {"order": f"{self.dish} for {self.guests} guests"}

    def score(self) -> float:
        """Compare pot and card."""
        wanted = {name: grams * self.guests for name, grams in CARDS[self.dish].items()}
        if set(self.pot) - set(wanted):
            return 0.0
        return sum(self.pot.get(name) == grams for name, grams in wanted.items()) / len(wanted)

    # The tools.

    def read_card(self, name: str) -> str:
        """Read the recipe card of a dish."""
        if name not in CARDS:
            return f"error: there is no card {name[:40]!r}"
        lines = (f"{grams} g of {what} a guest" for what, grams in CARDS[name].items())
        return f"{name}: " + ", ".join(lines)

    def weigh(self, what: str, grams: int) -> str:
        """Weigh something into the pot, in place of what there was of it."""
        self.pot[what[:40]] = grams
        return f"{grams} g of {what[:40]}"

    def serve(self) -> str:
        """Bring the pot to the table. This ends the episode."""
        self.over = True
        return "served"


def solution(seed: int) -> list[dict[str, Any]]:
    """Return the tool calls that cook what is ordered with that seed."""
    kitchen = Kitchen()
    kitchen.reset(seed=seed)
    card = CARDS[kitchen.dish]
    return [
        call("read_card", name=kitchen.dish),
        *(call("weigh", what=what, grams=grams * kitchen.guests) for what, grams in card.items()),
        call("serve"),
    ]
