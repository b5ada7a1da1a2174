"""Every writer comes through the entry points and keeps the promises of the interface."""

from importlib.metadata import EntryPoint, entry_points

import pytest

from reports.writers.base import Writer
from tests.reports.builders import hostile

POINTS = list(entry_points(group="envassay.writers"))


def test_the_built_ins_are_installed() -> None:
    assert {"json", "markdown", "terminal"} <= {point.name for point in POINTS}


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_a_writer_gives_text_that_a_file_can_hold(point: EntryPoint) -> None:
    writer: Writer = point.load()()
    report = hostile()
    if point.name == "rfc008":  # it takes only verdicts of its own policies
        verdict = report.verdict.model_copy(update={"policy": "rfc008-v2"})
        report = report.model_copy(update={"verdict": verdict})
    text = writer.write(report)
    assert writer.suffix.startswith(".")
    assert text.endswith("\n")
    assert text.encode("utf-8").count(b"\x1b") == 0
