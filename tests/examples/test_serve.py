"""`examples/serve.py`: names, ports, and that nothing outlives it."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.examples.conftest import SERVE
from tests.examples.player import session_with
from validator.manifest import read_manifest

pytestmark = pytest.mark.servers

EXAMPLES = Path(SERVE[1]).parent
README = (EXAMPLES / "README.md").read_text("utf-8")


@contextmanager
def serving(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", list[list[str]]]]:
    """Run serve.py and give its process and the fields of its lines, once it is ready."""
    with subprocess.Popen([*SERVE, *arguments], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = []
        for line in child.stdout:
            if line == "ready\n":
                break
            lines.append(line.rstrip("\n").split("\t"))
        try:
            yield child, lines
        finally:
            child.kill()


def answers(url: str) -> bool:
    port = int(url.rpartition(":")[2])
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


def test_the_port_asked_for_is_the_first_ones() -> None:
    port = free_port()
    with serving("courier", "--port", str(port)) as (_, lines):
        assert lines == [
            ["courier", f"http://127.0.0.1:{port}", str(EXAMPLES / "courier" / "envassay.yaml")]
        ]


@pytest.mark.parametrize(
    "how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_all_end_together(how: signal.Signals) -> None:
    with serving("hangman", "courier") as (child, lines):
        names, urls = [line[0] for line in lines], [line[1] for line in lines]
        assert names == ["hangman", "courier"]
        assert all(answers(url) for url in urls)
        with ExitStack() as opened:
            sessions = [opened.enter_context(session_with(url)) for url in urls]
            child.send_signal(how)
            for session in sessions:
                session.wait_for_the_end()
        assert child.wait() == (0 if how != signal.SIGKILL else -signal.SIGKILL)
        assert not any(answers(url) for url in urls)


def test_when_one_dies_the_others_end_and_it_is_named() -> None:
    command = [*SERVE, "hangman", "courier"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        urls = [child.stdout.readline().split("\t")[1] for _ in range(2)]
        assert child.stdout.readline() == "ready\n"
        os.kill(owner_of(urls[0]), signal.SIGKILL)
        assert child.wait() == 1
        assert child.stderr.read() == "serve.py: hangman ended by itself\n"
        assert not answers(urls[1])


def owner_of(url: str) -> int:
    """Return the process that listens at an address of this machine."""
    port = f"{int(url.rpartition(':')[2]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    inode = next(row[9] for row in rows if row[1].endswith(f":{port}") and row[3] == "0A")
    for folder in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            target = folder.readlink()
        except OSError:
            continue
        if str(target) == f"socket:[{inode}]":
            return int(folder.parts[2])
    raise LookupError(f"nobody listens at {url}")


def test_a_port_that_is_taken_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [*SERVE, "courier", "--port", str(port)], capture_output=True, text=True, check=False
        )
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.splitlines() == [
        f"serve.py: courier cannot have port {port}: Address already in use",
        "serve.py: courier did not start",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hangmann"], "no example named 'hangmann'. Known: courier, elements"),
        ([], "name an example, or give --all"),
        (["hover", "--port", "70000"], "--port 70000 is no port"),
    ],
)
def test_a_mistake_is_named(arguments: list[str], told: str) -> None:
    ended = subprocess.run([*SERVE, *arguments], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert told in ended.stderr


def test_the_table_names_every_example_and_its_defect() -> None:
    rows = dict(re.findall(r"^\| \[(\w+)\]\(\1/\1\.py\) \|[^|]*\| ([^|]*) \|", README, re.M))
    folders = {path.parent.name: path for path in EXAMPLES.glob("*/*.py")}
    assert rows.keys() == folders.keys()
    for name, path in folders.items():
        docstring = path.read_text("utf-8").partition('"""')[2].partition('"""')[0]
        assert rows[name].startswith("**defect**") == ("with a real defect" in docstring), name


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*/envassay.yaml")), ids=lambda p: p.parts[-2]
)
def test_each_manifest_is_read_and_promises_a_group(path: Path) -> None:
    assert (read_manifest(path).envassay.concurrency or 0) >= 8
