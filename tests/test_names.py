"""Names say what is meant, and lead to where things live."""

import ast
import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from validator.policy.model import read_policy, shipped_policies

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("validator", "metrics", "probes", "reports", "dashboard")
MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))

SAYS_NOTHING = re.compile(r"(utils?|helpers?|common|misc|stuff|lib|tools|manager|handlers?)", re.I)
VAGUE_CLASS = re.compile(r"(Manager|Handler|Helper|Util|Utils|Impl)$")
VAGUE_FUNCTION = re.compile(r"^(process|do|handle)_")
MOST_LINES = 400
"""Beyond this a module has more than one reason to change."""

CHECKS = sorted(point.name for point in entry_points(group="envassay.checks"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def public(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield the module's own functions and classes that others may use."""
    for node in tree.body:
        named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        if isinstance(node, named) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("room", ROOMS)
def test_what_others_may_use_says_what_it_is(room: str) -> None:
    silent = []
    for path in (path for path in MODULES if name_of(path).startswith(f"{room}/")):
        tree = ast.parse(path.read_text("utf-8"))
        if tree.body and path.name != "__init__.py" and ast.get_docstring(tree) is None:
            silent.append(name_of(path))
        silent += [
            f"{name_of(path)}: {node.name}"
            for node in public(tree)
            if ast.get_docstring(node) is None
        ]
    assert silent == []


def test_no_module_is_a_drawer_of_odds_and_ends() -> None:
    vague = [
        name_of(path)
        for path in [*MODULES, *TESTS, *sorted((ROOT / "examples").rglob("*.py"))]
        if any(
            SAYS_NOTHING.fullmatch(part.removeprefix("test_"))
            for part in path.relative_to(ROOT).with_suffix("").parts
        )
    ]
    assert vague == []


def test_no_name_is_vague() -> None:
    vague = []
    for path in MODULES:
        for node in public(ast.parse(path.read_text("utf-8"))):
            pattern = VAGUE_CLASS if isinstance(node, ast.ClassDef) else VAGUE_FUNCTION
            if pattern.search(node.name):
                vague.append(f"{name_of(path)}: {node.name}")
    assert vague == []


def test_modules_are_short() -> None:
    lines = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_checks_are_installed() -> None:
    assert len(CHECKS) >= 13


@pytest.mark.parametrize("check_id", CHECKS)
def test_everything_of_a_check_is_where_its_id_says(check_id: str) -> None:
    level, _, name = check_id.partition(".")
    assert re.fullmatch(r"[a-z_]+\.[a-z_]+", check_id)
    [point] = entry_points(group="envassay.checks", name=check_id)
    assert point.module == f"validator.checks.{level}.{name}"
    assert point.load().id == check_id
    assert (ROOT / "validator" / "checks" / level / f"{name}.py").is_file()
    assert (ROOT / "docs" / "checks" / level / f"{name}.md").is_file()
    for name in shipped_policies():
        if not name.startswith("rfc008-"):  # those hold RFC 008's ids, and no others
            assert check_id in read_policy(name).severities, name
    twins = (ROOT / "tests" / "validator" / "checks").rglob("test_*.py")
    assert any(f'"{check_id}"' in path.read_text("utf-8") for path in twins), "no test names it"


def test_every_module_of_a_check_is_installed() -> None:
    found = [
        f"{path.parent.name}.{path.stem}"
        for path in sorted((ROOT / "validator" / "checks").glob("*/*.py"))
        if path.name != "__init__.py"
    ]
    assert sorted(found) == CHECKS
