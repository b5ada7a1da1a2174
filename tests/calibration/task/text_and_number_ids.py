"""Healthy: tasks are named by numbers and by text, and the manifest lists both."""

from typing import Any

from tests.calibration.games.episode import app_of
from tests.calibration.games.query import Query

WORDED = {"first": 0, "second": 1, "third": 2}


class TextAndNumberIds(Query):
    def begin(self, **options: Any) -> None:
        """Understand both kinds of name."""
        task = options.pop("task", None)
        super().begin(task=WORDED.get(task, task) if isinstance(task, str) else task, **options)


app = app_of(TextAndNumberIds)
