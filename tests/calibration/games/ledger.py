"""Book vouchers. The action names two accounts and an amount; one booking, and it is over.

Twelve vouchers, chosen by the reset argument `voucher` (v01 to v12), else by the seed.
"""

from typing import Any, ClassVar, Literal

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game
from tests.calibration.games.ledger_oracle import VOUCHERS

NUMBERS = tuple(f"v{number + 1:02}" for number in range(len(VOUCHERS)))
Account = Literal["cash", "bank", "stock", "wages", "rent", "sales"]


class Booking(Action):
    """One entry, from an account to another."""

    debit: Account
    credit: Account
    cents: int = Field(ge=0, le=1_000_000, description="The amount in cents")


class Voucher(Observation):
    """What happened, and whether it is booked."""

    voucher: str
    text: str
    booked: bool = False


class Ledger(Game):
    """Pays a half for the two accounts and a half for the amount, where the accounts are right."""

    takes: ClassVar[type[Action]] = Booking
    shows: ClassVar[type[Observation]] = Voucher

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def begin(self, **options: Any) -> None:
        """Choose the voucher."""
        name = options.get("voucher")
        if name is not None and name not in NUMBERS:
            raise ValueError(f"no voucher {name!r}")
        self.number = self.draw.randrange(len(NUMBERS)) if name is None else NUMBERS.index(name)

    def play(self, action: Any) -> float | None:
        """Grade the booking."""
        self.over = True
        return self.grade(action)

    def grade(self, action: Any) -> float | None:
        """Return what a booking is worth."""
        _, debit, credit, cents = VOUCHERS[self.number]
        right = (action.debit, action.credit) == (debit, credit)
        return right * (0.5 + 0.5 * (action.cents == cents))

    def look(self) -> dict[str, Any]:
        """Return the voucher."""
        return {
            "voucher": NUMBERS[self.number],
            "text": VOUCHERS[self.number][0],
            "booked": self.over,
        }
