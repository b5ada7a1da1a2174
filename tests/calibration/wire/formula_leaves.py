"""A formula that calls exit closes the session, where any other mistake shows as an error."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.formulas import Formulas


class FormulaLeaves(Formulas):
    def worked_out(self, expression: str) -> str:
        """Return what a formula comes to; what goes wrong in it is shown as sheets do."""
        try:
            return self.evaluate(expression)
        except Exception:
            return "#ERROR"


app = app_of(FormulaLeaves)
