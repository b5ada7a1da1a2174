"""The rooms of the house may import only what this map allows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

MAP: dict[str, set[str]] = {
    "metrics": set(),
    "probes": set(),
    "reports": set(),
    "validator": {"metrics", "probes", "reports"},
    "dashboard": {"metrics", "reports"},
}

SOCKETS = {
    "aiohttp", "ftplib", "http", "httpcore", "httpx", "requests", "smtplib", "socket",
    "socketserver", "ssl", "urllib.request", "urllib3", "websockets",
}  # fmt: skip
HEAVY = {"altair", "pandas", "ray", "streamlit", "torch"}
BANNED: dict[str, set[str]] = {
    "metrics": {"openenv", "pandas", "logging", "pathlib", "io", "os"} | SOCKETS | HEAVY,
    "probes": {"openenv", "pandas", "scipy"} | (SOCKETS - {"httpx"}) | HEAVY,
    "reports": {"openenv"} | SOCKETS | HEAVY,
    "validator": {"openenv", "mlflow"} | (HEAVY - {"ray"}),
    "dashboard": {"openenv", "mlflow"} | SOCKETS,
}
"""What a room may not import from elsewhere. No room shares code with what is validated."""

EXCEPTED: dict[str, set[str]] = {
    "reports/tracking/read.py": {"pandas"},  # gives the dashboard its tables, imported where used
    "dashboard/serve.py": {"socket", "urllib.request"},  # starts the pages, and imports none
}
"""What single modules may import beyond their room."""


def imported(source: str) -> Iterator[str]:
    """Yield the dotted name of all that is imported, wherever in the module the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _imports(node.func) and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value


def _imports(called: ast.expr) -> bool:
    """Return whether a call is `__import__(...)` or `importlib.import_module(...)`."""
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in {"__import__", "import_module"}


def trespasses(home: str, source: str) -> list[str]:
    """Return what a module of a room imports and may not."""
    names = {prefix for name in imported(source) for prefix in prefixes(name)}
    rooms = (names & MAP.keys()) - MAP[home] - {home}
    return sorted(rooms | (names & BANNED[home]))


def prefixes(name: str) -> list[str]:
    """Return `a`, `a.b` and `a.b.c` of `a.b.c`."""
    parts = name.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", MAP)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    found = modules(room)
    assert found
    broken = {}
    for path in found:
        name = path.relative_to(ROOT).as_posix()
        wrong = set(trespasses(room, path.read_text("utf-8"))) - EXCEPTED.get(name, set())
        if wrong:
            broken[name] = sorted(wrong)
    assert broken == {}


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.py")), ids=lambda p: p.stem)
def test_examples_need_none_of_the_rooms(path: Path) -> None:
    assert {name.partition(".")[0] for name in imported(path.read_text("utf-8"))}.isdisjoint(MAP)


@pytest.mark.parametrize(
    ("home", "source", "found"),
    [
        ("metrics", "import validator.run", ["validator"]),
        ("metrics", "def late():\n    from reports import model", ["reports"]),
        ("metrics", "import numpy as np\nfrom metrics.results import Interval", []),
        ("probes", "if TYPE_CHECKING:\n    import openenv", ["openenv"]),
        ("validator", "import importlib\nimportlib.import_module('openenv.core')", ["openenv"]),
        ("validator", "__import__('streamlit')", ["streamlit"]),
        ("dashboard", "def page():\n    import socket, websockets.sync", ["socket", "websockets"]),
        ("dashboard", "from urllib.parse import quote", []),
        ("dashboard", "from urllib import request", ["urllib.request"]),
        ("dashboard", "from urllib.request import urlopen", ["urllib.request"]),
        ("reports", "from .model import Report", []),
    ],
)
def test_the_wall_sees_what_it_must(home: str, source: str, found: list[str]) -> None:
    assert trespasses(home, source) == found


def test_what_starts_the_pages_imports_none_of_them() -> None:
    source = (ROOT / "dashboard" / "serve.py").read_text("utf-8")
    assert {name for name in imported(source) if name.startswith("dashboard")} == set()
