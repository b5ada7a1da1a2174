"""What becomes of a probe that breaks."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from probes.base import Finished, Unplayable

log = logging.getLogger(__name__)


@contextmanager
def contained(probe: str) -> Iterator[None]:
    """Run code of a probe, whose mistakes end the probe's own episodes and never the run.

    A probe may be anyone's plug-in, and what it works on comes from the server. The traceback goes
    to the run's log.

    Args:
        probe: Name of the probe.

    Raises:
        Unplayable: the probe raised it, or anything that a probe is not meant to raise.
        Finished: the probe raised it.
    """
    try:
        yield
    except (Unplayable, Finished):
        raise
    except Exception as fault:
        log.exception("probe %s broke", probe)
        raise Unplayable(
            f"the probe broke ({type(fault).__name__}): please report it with the run's log"
        ) from fault
