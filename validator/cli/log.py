"""The log: a file that is only made when there is something to keep, such as a traceback."""

import logging
from pathlib import Path

ROOMS = ("validator", "probes", "metrics", "reports")


def log_to(path: Path) -> None:
    """Send what the rooms log from now on to one file."""
    handler = logging.FileHandler(path, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for room in ROOMS:
        logger = logging.getLogger(room)
        for old in logger.handlers:
            old.close()
        logger.handlers = [handler]
        logger.propagate = False
