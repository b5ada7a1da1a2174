"""Every writer comes through the entry points and keeps the promises of the interface."""

from importlib.metadata import EntryPoint, entry_points

import pytest

from reports.model import Report
from reports.writers.base import Writer
from tests.reports.builders import HOSTILE, hostile
from tests.reports.monsters import monstrous

POINTS = list(entry_points(group="envassay.writers"))


def test_the_built_ins_are_installed() -> None:
    assert {"json", "markdown", "terminal"} <= {point.name for point in POINTS}


LONG = 300_000
DOCUMENTS = ("json", "rfc008")
"""Read by programs, which get every word as it is."""


def judged(point: EntryPoint, report: Report) -> Report:
    """Return a report as the writer takes it: that of the RFC takes only verdicts of its own."""
    if point.name != "rfc008":
        return report
    verdict = report.verdict.model_copy(update={"policy": "rfc008-v2", "policy_version": "2"})
    return report.model_copy(update={"verdict": verdict})


@pytest.fixture(scope="module")
def endless() -> Report:
    """Give a report whose every word is long."""
    return monstrous("y" * LONG)


@pytest.fixture(scope="module")
def wild() -> Report:
    """Give a report whose every word attacks."""
    return monstrous(HOSTILE + "\u2028\x85\ud800")


@pytest.mark.parametrize(
    "point",
    [point for point in POINTS if point.name not in DOCUMENTS],
    ids=lambda point: point.name,
)
def test_what_people_read_is_bounded_whatever_is_long(point: EntryPoint, endless: Report) -> None:
    assert len(point.load()().write(endless)) < LONG


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_no_word_of_a_report_reaches_a_reader_as_a_command(point: EntryPoint, wild: Report) -> None:
    text = point.load()().write(judged(point, wild))
    seen = set(text) - {"\n"}
    assert not [c for c in seen if ord(c) < 32]
    if point.name not in DOCUMENTS:
        assert not {"\x85", "\u202e", "\u200b", "\u2028", "\ud800"} & seen
    if point.name == "html":
        assert "<script" not in text


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_a_writer_gives_text_that_a_file_can_hold(point: EntryPoint) -> None:
    writer: Writer = point.load()()
    text = writer.write(judged(point, hostile()))
    assert writer.suffix.startswith(".")
    assert text.endswith("\n")
    assert text.encode("utf-8").count(b"\x1b") == 0
