"""Healthy: a formula that may not be worked out is an error frame, whatever it raises."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.formulas import Formulas


class FormulaRefused(Formulas):
    def worked_out(self, expression: str) -> str:
        """Return what a formula comes to."""
        try:
            return self.evaluate(expression)
        except SystemExit:
            raise ValueError("exit is no function of this sheet") from None


app = app_of(FormulaRefused)
