"""The summary is read in ten seconds, without colour, and never obeys an environment."""

import io
import re

import pytest
from rich.console import Console

from reports.model import Report
from reports.writers.terminal import Terminal, show
from tests.reports.builders import (
    check,
    everything,
    hostile,
    left_open,
    pays_for_nothing,
    worth_training,
)


def printed(
    report: Report, *, width: int = 80, colour: bool = False, ascii_only: bool = False
) -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii" if ascii_only else "utf-8")
    console = Console(
        file=file, width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    show(report, console, files={"report": "runs/x/report.json"})
    file.flush()
    assert isinstance(file.buffer, io.BytesIO)
    return file.buffer.getvalue().decode("utf-8")


def test_the_verdict_its_reasons_and_the_next_step_come_first() -> None:
    lines = Terminal().write(pays_for_nothing()).splitlines()
    assert lines[:5] == [
        " FAIL  quiz  http://127.0.0.1:8002",
        "  why   semantic.floor_gap: doing nothing earns 0.94",
        "        statistical.training_signal: 2% of groups disagree",
        "        session.capacity: 1 session where a group needs 8",
        "  next  Fix the grader: Pay nothing for an empty answer. (1 more to fix)",
    ]


def test_numbers_stand_with_interval_n_and_method() -> None:
    text = Terminal().write(worth_training())
    assert re.search(r"signal +0\.62 \[0\.48, 0\.74\] +40 tasks +groups that teach", text)
    assert "\nby Wilson score\n" in text
    assert re.search(r"random blind +0\.31 \[0\.22, 0\.42\] +40 +0\.28 .*├─●─┤", text)


def test_a_finding_is_shown_in_its_six_parts() -> None:
    text = Terminal().write(pays_for_nothing())
    parts = re.findall(r"^  (claim|saw|expected|where|reproduce|do) +\S", text, re.MULTILINE)
    assert parts == ["claim", "saw", "expected", "where", "reproduce", "do"]


def test_open_questions_stand_apart_from_what_is_to_be_repaired() -> None:
    repair, questions = Terminal().write(left_open()).split("Open questions")
    assert "ERROR semantic.verifier_determinism" in repair
    assert "episode.start_variety" not in repair.partition("To repair")[2]
    assert "ADVISORY episode.start_variety" in questions
    assert re.search(r"SKIP runtime.seed_control: only 2.*\n  needs +a larger --budget", questions)


def test_what_blocks_nothing_is_one_line_however_many_there_are() -> None:
    skips = [check(f"a.s{chr(97 + n)}", "skip", "advisory", needed="x") for n in range(20)]
    blocking = check("a.blocks", "skip", needed="a larger --budget")
    text = Terminal().write(worth_training().model_copy(update={"results": [*skips, blocking]}))
    assert text.count("SKIP") == 2
    assert re.search(r"SKIP a\.blocks: .*\n  needs +a larger --budget", text)
    assert "SKIP 20 others that block nothing: a.sa, a.sb, " in text
    assert "passed    0 of 21 checks" in text


def test_what_was_not_measured_is_said_and_not_zero() -> None:
    text = " ".join(Terminal().write(left_open()).split())
    assert "signal undefined no success is known: declare success_threshold" in text
    assert "random blind undefined 0 undefined no episode was scored" in text
    assert "6 absent, 4 error, 5 timeout, 3 refused; stopped early" in text
    assert "not played greedy: the action schema names no options" in text


@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("report", everything(), ids=lambda report: report.target.url)
def test_no_line_is_wider_than_the_terminal(report: Report, width: int) -> None:
    assert max(map(len, printed(report, width=width).splitlines())) <= width


@pytest.mark.parametrize("colour", [True, False])
def test_hostile_text_reaches_no_terminal_as_a_command(colour: bool) -> None:
    text = printed(hostile(), colour=colour)
    ours = re.sub(r"\x1b\[[0-9;]*m", "", text) if colour else text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", ours)
    assert r"\x1b]0;owned\x07\u202eevil\u200b" in re.sub(r"\s", "", ours)
    assert "[link" not in ours


def test_markup_of_the_console_is_text() -> None:
    target = worth_training().target.model_copy(update={"name": "[red]maze[/red]:smile:"})
    report = worth_training().model_copy(update={"target": target})
    assert " PASS  [red]maze[/red]:smile:  http" in printed(report, colour=False)


def test_it_can_be_read_where_only_ascii_is_known() -> None:
    text = printed(worth_training(), ascii_only=True)
    assert "....[-o-]" in text
    assert text.isascii()


def test_files_are_named_at_the_end() -> None:
    assert printed(worth_training()).splitlines()[-1].split() == ["report", "runs/x/report.json"]


def test_a_terminal_shows_the_verdict_again_where_the_reader_is() -> None:
    lines = re.sub(r"\x1b\[[0-9;]*m", "", printed(pays_for_nothing(), colour=True)).splitlines()
    assert [line.rstrip() for line in lines[-2:]] == [
        " FAIL  quiz  http://127.0.0.1:8002",
        "  next  Fix the grader: Pay nothing for an empty answer. (1 more to fix)",
    ]


def test_a_file_has_no_colour() -> None:
    assert "\x1b" not in Terminal().write(worth_training())
    assert "\x1b[" in printed(worth_training(), colour=True)
