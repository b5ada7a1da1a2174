"""Once an operator has read any state, the whole process pays half from then on."""

from openenv.core.env_server import State

from tests.calibration.games.episode import app_of
from tests.calibration.games.points import TRAINS, Railway

AUDITED: list[bool] = []


class AuditedFromNowOn(Railway):
    def pay(self, there: bool) -> float | None:
        """Return what a train is worth, by the rules of the day."""
        return there / TRAINS * (0.5 if AUDITED else 1.0)

    @property
    def state(self) -> State:
        """Return the state; from now on there are audits."""
        AUDITED.append(True)
        return super().state


app = app_of(AuditedFromNowOn)
