"""Healthy: the block has what the RFC asks for, and not a word more."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class LeastBlock(Ledger):
    """`Ledger` as it is."""


app = app_of(LeastBlock)
