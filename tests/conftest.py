"""Cleans the environment, and serves environments by name: real ones and hostile ones."""

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.servers.hostile import Hostile

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("openenv-0.10.0", "openenv-core-0.3.0", "openenv-core-0.2.3")
NAMES = ("toy", "one-slot", "echo-mcp", "tasks")
START_SECONDS = 120.0

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def _no_proxy() -> Iterator[None]:
    """Take away what would send our requests another way."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
            patch.delenv(name, raising=False)
            patch.delenv(name.lower(), raising=False)
        yield


@pytest.fixture(scope="session")
def served() -> Iterator["Served"]:
    """Return what gives the address of a served environment; use it with the marker `servers`."""
    with ExitStack() as running:
        yield Served(running)


@pytest.fixture(scope="session")
def hostile() -> Iterator[Hostile]:
    """Return a server with a fault for every path, see `tests/servers/hostile.py`."""
    with Hostile() as server:
        yield server


class Served:
    """The real servers, one process a version, started when first asked for."""

    def __init__(self, running: ExitStack) -> None:
        self._running = running
        self._servers: dict[str, _Server] = {}

    def __call__(self, name: str, version: str = VERSIONS[0]) -> str:
        """Return the base address of an environment served by a version, once it answers."""
        if name not in NAMES or version not in VERSIONS:
            pytest.fail(f"nothing is served as {name!r} by {version!r}")
        self.begin(version)
        return f"{self._servers[version].url()}/{name}"

    def begin(self, *versions: str) -> None:
        """Start servers side by side: each takes seconds until it answers."""
        for version in versions:
            if version not in self._servers:
                self._servers[version] = self._running.enter_context(_Server(version))


class _Server:
    """One interpreter with one version of the server, all environments under their names."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._python = ROOT / ".servers" / version / "bin" / "python"
        self._url = ""

    def url(self) -> str:
        """Return the base address, once the server answers there."""
        if not self._url:
            assert self._child.stdout is not None
            ready, _, _ = select.select([self._child.stdout], [], [], START_SECONDS)
            self._url = self._child.stdout.readline().strip() if ready else ""
        if not self._url:
            self._child.kill()
            self._child.wait()
            self._said.seek(0)
            said = self._said.read()[-2000:]
            pytest.fail(f"{self._version} did not start: {said}", pytrace=False)
        return self._url

    def __enter__(self) -> "_Server":
        if not self._python.exists():
            pytest.fail(f"{self._version} is not installed: make servers", pytrace=False)
        script = str(ROOT / "tests" / "servers" / "serve.py")
        self._said = tempfile.TemporaryFile("w+")
        self._child = subprocess.Popen(
            [str(self._python), script, *NAMES, "--tied"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._child.terminate()
        self._child.communicate()
        self._said.close()
