"""The example environments, served once a test session."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from tests.examples.player import Player, session_with

ROOT = Path(__file__).resolve().parents[2]
SERVE = (
    str(ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"),
    str(ROOT / "examples" / "serve.py"),
)


class OpenSession(Protocol):
    """Opens a session with an example; it is closed after the test."""

    def __call__(self, name: str) -> Player: ...


@pytest.fixture(scope="session")
def urls() -> Iterator[dict[str, str]]:
    """Address of each example, by its name."""
    with subprocess.Popen([*SERVE, "--all"], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            found = {}
            for line in child.stdout:
                if line == "ready\n":
                    break
                name, url, _ = line.split("\t")
                found[name] = url
            else:
                pytest.fail("the examples did not start")
            yield found
        finally:
            child.terminate()


@pytest.fixture
def play(urls: dict[str, str]) -> Iterator[OpenSession]:
    """Return what opens a session by the example's name."""
    with ExitStack() as opened:
        yield lambda name: opened.enter_context(session_with(urls[name]))
