"""The vouchers are those of a branch, whatever is there today."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class NewestVouchers(Ledger):
    """`Ledger` as it is."""


app = app_of(NewestVouchers)
