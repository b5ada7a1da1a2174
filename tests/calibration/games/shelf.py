"""Parcels to be ordered by weight. The action is an array; one action, and it is over."""

from typing import Annotated, Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import BaseModel, Field

from tests.calibration.games.episode import Game

NAMES = ("books", "tea", "lamp", "shoes", "clock", "vase", "tools", "seeds", "honey", "yarn")
Slot = Annotated[int, Field(ge=0, le=4)]


class Sorted(Action):
    """The parcels in order."""

    order: list[Slot] = Field(
        min_length=5, max_length=5, description="Places of the parcels, lightest first"
    )


class Parcel(BaseModel):
    """A parcel on the table."""

    name: str
    grams: int


class Table(Observation):
    """What is to be ordered."""

    parcels: list[Parcel]


class Shelf(Game):
    """Pays 1 for the right order, else 0."""

    takes: ClassVar[type[Action]] = Sorted
    shows: ClassVar[type[Observation]] = Table

    def __init__(self) -> None:
        super().__init__()
        self.parcels: list[dict[str, Any]] = []

    def begin(self, **options: Any) -> None:
        """Draw five parcels of different weight."""
        names, grams = self.draw.sample(NAMES, 5), self.draw.sample(range(100, 5000, 10), 5)
        self.parcels = [{"name": n, "grams": g} for n, g in zip(names, grams, strict=True)]

    def check(self, action: Any) -> None:
        """Every parcel once."""
        if len(set(action.order)) != len(self.parcels):
            raise ValueError("name every place once")

    def play(self, action: Any) -> float | None:
        """Grade an order."""
        self.over = True
        return self.grade(action.order, self.right_order())

    def right_order(self) -> list[int]:
        """Return the places, lightest first."""
        return sorted(range(5), key=lambda place: self.parcels[place]["grams"])

    def grade(self, order: list[int], right: list[int]) -> float:
        """Return what an order is worth."""
        return float(order == right)

    def look(self) -> dict[str, Any]:
        """Return the parcels."""
        return {"parcels": self.parcels}
