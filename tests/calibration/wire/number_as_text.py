"""The price is a number in the schema and after a reset, and a text after a step."""

from typing import Annotated, Any

from pydantic import WithJsonSchema

from tests.calibration.games.episode import app_of
from tests.calibration.games.trader import Market, Trader


class Loose(Market):
    """The market, with a price that is a number on paper."""

    price: Annotated[Any, WithJsonSchema({"type": "number"})]


class NumberAsText(Trader):
    shows = Loose

    def look(self) -> dict[str, Any]:
        """Write the price as text from the first day on."""
        seen = super().look()
        return seen | {"price": f"{self.price:.2f}"} if self.steps else seen


app = app_of(NumberAsText)
