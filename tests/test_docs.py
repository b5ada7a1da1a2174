"""Every command, manifest and Python example of the pages works, and every link leads somewhere."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from validator.cli.main import build_parser
from validator.manifest import parse_manifest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").glob("*.md")),
]
FENCE = re.compile(r"^ *(```+|~~~+)([\w-]*)[^\n]*\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^#+ +(.+?) *#*$", re.MULTILINE)
IN_A_SHELL = {"bash", "sh", "shell"}
OURS = {
    "": re.compile(r"(envassay|make) "),
    "console": re.compile(r"(?!)"),
    **dict.fromkeys(IN_A_SHELL, re.compile(r"[^#\s]")),
}
"""What a line begins with that is a command without a prompt, by the language of its block."""
CHECKS = sorted(point.name for point in entry_points(group="envassay.checks"))

OTHERS_COMMANDS = {"git", "pip", "uv", "uvx", "docker", "export", "cd"}
"""Begin a line that is not ours to try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    return [
        Block(
            page=page, line=text.count("\n", 0, found.start()) + 1, language=found[2], text=found[3]
        )
        for page in PAGES
        for text in [page.read_text("utf-8")]
        for found in FENCE.finditer(text)
        if found[2] in languages
    ]


def command_lines(block: Block) -> Iterator[str]:
    """Yield the commands of a block, joined over line ends; what is printed is left out.

    In a shell block every line is a command, in a console block those after a prompt, and in a
    block of no language those that begin with our own name or with `make`.
    """
    for line in (line.strip() for line in block.text.replace("\\\n", " ").splitlines()):
        if line.startswith("$ "):
            yield line[2:]
        elif OURS[block.language].match(line):
            yield line


def check_command(line: str) -> None:
    """Fail where a command could not be run as it stands.

    Raises:
        AssertionError: it names a flag, target or file that is not there.
    """
    words = shlex.split(line, comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    program = Path(words[0]).name
    if program == "envassay":
        build_parser().parse_args(words[1:])
    elif program == "make":
        makefile = (ROOT / "Makefile").read_text("utf-8")
        for target in (word for word in words[1:] if "=" not in word):
            assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target
    elif re.fullmatch(r"python[\d.]*", program):
        check_python(words[1:])
    else:
        assert program in OTHERS_COMMANDS, f"unknown command {program!r}"


def check_python(words: list[str]) -> None:
    if words[0] == "-m":
        assert words[1] in {"pip", "venv", "pytest"} or find_spec(words[1]), words[1]
    else:
        assert (ROOT / words[0]).is_file(), words[0]


COMMANDS = [
    pytest.param(line, id=f"{block}-{line}")
    for block in blocks("", "console", *IN_A_SHELL)
    for line in command_lines(block)
]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_is_one_that_can_be_run(line: str) -> None:
    try:
        check_command(line)
    except SystemExit as ended:
        pytest.fail(f"the command line refuses it (exit {ended.code})")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for block in (block for block in blocks("python") if block.page == page):
        exec(compile(block.text, str(block), "exec"), names)


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_a_manifest_of_a_page_is_read(block: Block) -> None:
    document = yaml.safe_load(block.text)
    if isinstance(document, dict) and document.keys() & {"envassay", "validation"}:
        parse_manifest(document, where=str(block))


def slugs(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as the forges make them."""
    text = FENCE.sub("", page.read_text("utf-8"))
    plain = (re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", found) for found in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text("utf-8")))
    dead = []
    for target in LINK.findall(text):
        if re.match(r"[a-z][a-z+.-]*:", target):
            continue
        name, _, anchor = target.partition("#")
        led = (page.parent / name).resolve() if name else page
        if not led.exists() or (anchor and anchor not in slugs(led)):
            dead.append(target)
    assert dead == []


@pytest.mark.parametrize("check_id", CHECKS)
def test_a_check_has_a_page_of_its_own(check_id: str) -> None:
    page = ROOT / "docs" / "checks" / f"{check_id.replace('.', '/')}.md"
    assert page.read_text("utf-8").startswith(f"# {check_id}\n")


def test_a_page_of_a_check_has_its_check() -> None:
    pages = (ROOT / "docs" / "checks").glob("*/*.md")
    assert sorted(f"{page.parent.name}.{page.stem}" for page in pages) == CHECKS


@pytest.mark.parametrize(
    "line",
    [
        "envassay validate",
        "envassay validate http://localhost:8000 --budgett quick",
        "envassay frobnicate",
        "make nonsense",
        "python benchmarks/nowhere.py",
        "curl http://localhost",
    ],
)
def test_a_wrong_command_is_seen(line: str) -> None:
    with pytest.raises((AssertionError, SystemExit)):
        check_command(line)


def test_commands_are_found_in_blocks() -> None:
    def found(language: str, text: str) -> list[str]:
        return list(command_lines(Block(page=ROOT, line=1, language=language, text=text)))

    assert found("console", "$ envassay demo\nready\n$ make \\\n  test\n") == [
        "envassay demo", "make    test",
    ]  # fmt: skip
    assert found("bash", "# why\nenvassay demo\n") == ["envassay demo"]
    assert found("", "envassay demo\na report\n") == ["envassay demo"]
    assert COMMANDS
