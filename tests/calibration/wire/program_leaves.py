"""A program that exits takes its session with it: only exceptions are caught."""

from tests.calibration.games.episode import app_of
from tests.calibration.games.snippets import Snippets


class ProgramLeaves(Snippets):
    def run(self, code: str) -> None:
        """Run a program; what goes wrong in it is told."""
        try:
            self.execute(code)
        except Exception as fault:
            self.problem = f"{type(fault).__name__}: {fault}"


app = app_of(ProgramLeaves)
