"""The dashboard comes up, answers, ends with us, and says in one line why it cannot."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from dashboard.serve import TRACKING_URI, DashboardError, main, run, served
from reports.tracking.store import file_store

ANSWER_SECONDS = 60


@pytest.mark.parametrize(
    ("number", "uri", "told"),
    [
        (signal.SIGINT, "sqlite:///runs.db", "sqlite:///runs.db"),
        (signal.SIGTERM, "http://eve:secret@127.0.0.1:9", "http://***@127.0.0.1:9"),
    ],
)
def test_it_tells_where_it_is_and_ends_when_asked(
    tmp_path: Path, number: signal.Signals, uri: str, told: str
) -> None:
    for room in ("dashboard", "reports"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("raise SystemExit('not ours')", "utf-8")
    command = [sys.executable, "-P", "-m", "dashboard.serve", uri, "--port=0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith(f"Dashboard of {told} at http://127.0.0.1:")
            url = line.split(" at ")[1].split()[0]
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=ANSWER_SECONDS) as answer:
                assert answer.read() == b"ok"
            os.kill(process.pid, number)
            assert process.communicate(timeout=ANSWER_SECONDS)[0] == ""
        finally:
            process.kill()
    assert process.returncode == 0
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=ANSWER_SECONDS)


def test_a_port_that_is_taken_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["sqlite:///x.db", "--port", str(port), "--no-browser"]) == 3
    assert capsys.readouterr() == (
        "",
        f"envassay: 127.0.0.1:{port}: something else listens there. "
        "Choose another place with --port.\n",
    )


@pytest.mark.parametrize(
    ("address", "port"), [("203.0.113.7", 8501), ("no host\x1b[1m", 8501), ("127.0.0.1", 99999)]
)
def test_a_place_that_cannot_be_had_is_one_clear_line(address: str, port: int) -> None:
    with (
        pytest.raises(DashboardError, match="Choose another place") as fault,
        served("sqlite:///x.db", port=port, address=address),
    ):
        raise AssertionError("it cannot be served")
    assert "\x1b" not in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_dashboard_that_ends_by_itself_is_no_success() -> None:
    mine = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    others = set(mine.read_text().split())  # servers that other tests have left running

    def end(line: str) -> None:
        (child,) = set(mine.read_text().split()) - others
        os.kill(int(child), signal.SIGKILL)

    with pytest.raises(DashboardError, match="ended by itself"):
        run("sqlite:///x.db", port=0, open_browser=False, tell=end)


def test_what_is_opened_beside_the_start_loads_no_streamlit(tmp_path: Path) -> None:
    """Two threads that load it at once make it fail now and then."""
    program = (
        "import sys\n"
        "from dashboard.child import _warm_up\n"
        "_warm_up()\n"
        "sys.exit('streamlit' in sys.modules)"
    )
    environment = os.environ | {TRACKING_URI: file_store(tmp_path / "nowhere")}
    assert subprocess.run([sys.executable, "-c", program], env=environment).returncode == 0
