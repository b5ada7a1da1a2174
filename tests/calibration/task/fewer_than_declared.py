"""The manifest declares twenty tasks, and the server has ten."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.question import Rivers


class FewerThanDeclared(Rivers):
    """`Rivers` as they are."""


app = app_of(FewerThanDeclared)
