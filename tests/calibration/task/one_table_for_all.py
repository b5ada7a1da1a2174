"""Eight tables are declared, and each task and seed gets the same one."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query


class OneTableForAll(Query):
    def begin(self, **options: Any) -> None:
        """Lay the first table out."""
        super().begin(**options | {"task": 0})


app = app_of(OneTableForAll)
