"""The log: a file that is only made when there is something to keep, such as a traceback."""

import logging
from contextlib import suppress
from pathlib import Path

ROOMS = ("validator", "probes", "metrics", "reports")


class _Log(logging.FileHandler):
    """Keeps what it can: a lost folder or a full disk ends no run, which is worth more."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless the file cannot be written to."""
        with suppress(OSError):
            super().emit(record)

    def close(self) -> None:
        """Let the file go, kept or not."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:
        """Print nothing: the terminal is for the user's own mistakes."""


def log_to(path: Path) -> None:
    """Send what the rooms log from now on to one file."""
    handler = _Log(path, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for room in ROOMS:
        logger = logging.getLogger(room)
        for old in logger.handlers:
            old.close()
        logger.handlers = [handler]
        logger.propagate = False
