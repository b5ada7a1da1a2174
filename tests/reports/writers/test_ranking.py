"""Many environments in one table."""

import io

import pytest
from rich.console import Console

from reports.standing import standing
from reports.writers.ranking import markdown_ranking, show_ranking
from tests.reports.builders import everything


def printed(width: int, *, rows: int = 4) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    show_ranking([standing(report) for report in everything()[:rows]], console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_best_first_with_reason_and_advice() -> None:
    lines = [line.rstrip() for line in printed(80).splitlines()]
    assert lines[1].split()[:3] == ["1", "maze", "PASS"]
    assert lines[3].split()[:3] == ["3", "quiz", "FAIL"]
    reasons = lines[lines.index("") + 1 :]
    assert reasons[0] == " 1  9 of 9 checks passed, none failed"
    assert reasons[1].startswith("    Train: nothing that was checked speaks against it.")


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (80, "environment verdict signal floor"),
        (120, "environment verdict signal floor ceiling sessions"),
        (170, "environment verdict signal floor ceiling sessions cost determinism"),
    ],
)
def test_a_wider_terminal_shows_more(width: int, columns: str) -> None:
    text = printed(width)
    assert text.splitlines()[0].split() == columns.split()
    assert max(map(len, text.splitlines())) <= width


def test_what_was_not_measured_is_no_zero() -> None:
    shop = next(line for line in printed(80).splitlines() if " shop " in line)
    assert shop.split("WARN")[1].split("0.10")[0].strip() == "not measured"


def test_no_environment_yet() -> None:
    assert printed(80, rows=0) == "No environment was validated yet.\n"


def test_markdown_has_one_row_each() -> None:
    lines = markdown_ranking(standing(report) for report in everything()).splitlines()
    assert lines[2].startswith(
        "| 1 | maze | ✅ pass | 0.62 \\[0.48, 0.74\\], n = 40 | 0.05 \\[0.01, 0.13\\], n = 40 |"
    )
    assert "1, too few for 8" in lines[4]
    assert len([line for line in lines if line.startswith("| ")]) == 6
