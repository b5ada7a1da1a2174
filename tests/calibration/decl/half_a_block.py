"""The block of RFC 008 is half there: neither resources nor types, and no margin."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class HalfABlock(Ledger):
    """`Ledger` as it is."""


app = app_of(HalfABlock)
