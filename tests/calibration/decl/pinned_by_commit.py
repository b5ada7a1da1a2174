"""Healthy: data and writer are pinned; the names only sound like branches."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.ledger import Ledger


class PinnedByCommit(Ledger):
    """`Ledger` as it is."""


app = app_of(PinnedByCommit)
