"""The server of the calibration environments, one for a test session."""

from collections.abc import Iterator

import pytest

from tests.calibration.nursery import Nursery, nursery


@pytest.fixture(scope="session")
def served() -> Iterator[Nursery]:
    """Return what serves an environment by name; use it with the marker `servers`."""
    with nursery() as running:
        yield running
