"""Serves the dashboard from a child process until it is told to stop.

`python -m dashboard.serve URI` is what `envassay dashboard` starts.
"""

import argparse
import errno
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from reports.safe import address as without_secrets
from reports.safe import plain

APP = Path(__file__).with_name("app.py")

TRACKING_URI = "ENVASSAY_TRACKING_URI"
"""Environment variable with the address of the store: a command line could be seen by others."""

RUNS = "ENVASSAY_DASHBOARD_RUNS"
"""Environment variable that is `1` where pages may start runs: on this machine's own address."""

OWN = ("127.0.0.1", "::1", "localhost")

PORT = 8501
SETTINGS_FAULT = 3
"""Exit code, as of every command, for what the user can mend by another flag."""

LOOPBACK = "127.0.0.1"

WATCH_SECONDS = 1.0
STARTING_SECONDS = 60.0
STOPPING_SECONDS = 5.0
POLL_SECONDS = 0.1

STREAMLIT = {
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "server.runOnSave": "false",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "theme.light.primaryColor": "#0b62a8",
    "theme.dark.primaryColor": "#1f6fb2",
}
"""What Streamlit is told, whatever the user's own settings for it say."""


class DashboardError(Exception):
    """The dashboard cannot be served; the text is one line for the user."""


def tracking_uri() -> str:
    """Return the address of the store, which is in the working folder unless told otherwise."""
    from reports.tracking.store import file_store

    return os.environ.get(TRACKING_URI) or file_store(Path(".envassay"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A dashboard that answers."""

    url: str
    process: subprocess.Popen[bytes]
    said: IO[bytes]
    """What the child wrote."""


def run(
    tracking_uri: str,
    *,
    port: int = PORT,
    address: str = LOOPBACK,
    open_browser: bool = True,
    tell: Callable[[str], object] | None = None,
) -> None:
    """Serve the dashboard until an interrupt or a request to terminate.

    Args:
        tracking_uri: The MLflow store to show.
        port: Where to listen; 0 takes any free port.
        address: On which address; the pages have no password.
        open_browser: Also open the page in the user's browser.
        tell: Takes the lines for the user; standard output unless given.

    Raises:
        DashboardError: the port is taken, or the child did not start or ended by itself.
    """
    say = tell or _say
    try:
        with _terminated_like_interrupted(), served(tracking_uri, port=port, address=address) as up:
            say(f"Dashboard of {without_secrets(tracking_uri)} at {up.url} (Ctrl-C ends it)")
            if address not in OWN:
                say("It has no password: whoever can reach this address can read every report.")
            if open_browser:
                webbrowser.open(up.url)
            up.process.wait()
            raise DashboardError(f"the dashboard ended by itself: {_last_line(up.said)}")
    except KeyboardInterrupt:
        return


@contextmanager
def served(tracking_uri: str, *, port: int = PORT, address: str = LOOPBACK) -> Iterator[Served]:
    """Serve the dashboard while the context is open.

    Raises:
        DashboardError: the port is taken, or the child did not start.
    """
    if importlib.util.find_spec("streamlit") is None:
        raise DashboardError("the dashboard is not installed: pip install 'envassay[dashboard]'")
    port = _free(address, port)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            _command(port, address),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=os.environ | {TRACKING_URI: tracking_uri, RUNS: "1" if address in OWN else "0"},
            start_new_session=True,  # an interrupt of the terminal reaches us alone
        )
        try:
            url = f"http://{_reachable(address)}:{port}"
            dashboard = Served(url=url, process=process, said=said)
            _wait_until_healthy(dashboard)
            yield dashboard
        finally:
            _stop(process)


def end_with_parent() -> None:
    """End this process, as asked to terminate, when the one that started it has ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    parent = os.getppid()
    threading.Thread(target=watch, daemon=True).start()


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, serve, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m dashboard.serve", description=__doc__)
    parser.add_argument(
        "uri", nargs="?", default=os.environ.get(TRACKING_URI, ""), help=f"or ${TRACKING_URI}"
    )
    parser.add_argument("--host", default=LOOPBACK)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--no-browser", action="store_true")
    told = parser.parse_args(arguments)
    end_with_parent()
    try:
        run(told.uri, port=told.port, address=told.host, open_browser=not told.no_browser)
    except DashboardError as fault:
        sys.stderr.write(f"envassay: {fault}\n")
        return SETTINGS_FAULT
    return 0


def _command(port: int, address: str) -> list[str]:
    told = STREAMLIT | {"server.port": str(port), "server.address": address}
    flags = [f"--{name}={value}" for name, value in told.items()]
    # -P: a folder of the user's that is named like one of ours is not taken for it
    return [sys.executable, "-P", "-m", "dashboard.child", "run", str(APP), *flags]


def _free(address: str, port: int) -> int:
    """Return the port to listen on, having made sure that it can be had."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        if port not in range(2**16):
            raise OSError("there is no such port")
        with socket.create_server((address, port), family=family) as probe:
            found: int = probe.getsockname()[1]
            return found
    except OSError as fault:
        why = "something else listens there" if fault.errno == errno.EADDRINUSE else plain(fault)
        raise DashboardError(
            f"{plain(address, 100)}:{port}: {why}. Choose another place with --port."
        ) from fault


def _reachable(address: str) -> str:
    """Return the host under which this machine reaches an address it listens on."""
    host = {"0.0.0.0": LOOPBACK, "": LOOPBACK, "::": "::1"}.get(address, address)
    return f"[{host}]" if ":" in host else host


def _wait_until_healthy(dashboard: Served) -> None:
    directly = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < end:
        if dashboard.process.poll() is not None:
            raise DashboardError(f"the dashboard did not start: {_last_line(dashboard.said)}")
        try:
            with directly.open(f"{dashboard.url}/_stcore/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(POLL_SECONDS)
    raise DashboardError(f"the dashboard did not start within {STARTING_SECONDS:.0f} seconds")


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Let a request to terminate end the context as an interrupt does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    end = time.monotonic() + STOPPING_SECONDS
    while process.poll() is None and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    process.kill()
    process.wait()


def _last_line(said: IO[bytes]) -> str:
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").split("\n")
    return next(
        (plain(line.strip()) for line in reversed(lines) if line.strip()), "no reason given"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
