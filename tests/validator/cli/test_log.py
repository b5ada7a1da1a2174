"""The log of a run: made only where there is something to keep, and no reason for a run to end."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from validator.cli.log import ROOMS, log_to


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    loggers = [logging.getLogger(room) for room in ROOMS]
    kept = [(logger.handlers, logger.propagate) for logger in loggers]
    yield
    for logger, (handlers, propagate) in zip(loggers, kept, strict=True):
        for handler in logger.handlers:
            handler.close()
        logger.handlers, logger.propagate = handlers, propagate


def test_a_log_is_made_with_its_first_word(tmp_path: Path) -> None:
    log_to(tmp_path / "run.log")
    assert not list(tmp_path.iterdir())
    logging.getLogger("probes.ladder").warning("one word")
    assert "WARNING probes.ladder: one word" in (tmp_path / "run.log").read_text()


def test_the_log_of_the_run_before_is_left(tmp_path: Path) -> None:
    for name in ("first", "second"):
        log_to(tmp_path / name)
        logging.getLogger("validator").warning(name)
    assert "second" not in (tmp_path / "first").read_text()


@pytest.mark.parametrize("lost", ["the folder", "the place", "the disk"])
def test_a_log_that_cannot_be_kept_ends_nothing(
    lost: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that found nobody removes its folder, and the next one's warning came too late."""
    path = tmp_path / "run" / "run.log"
    if lost == "the place":
        path.parent.write_text("a file where the folder should be")
    if lost == "the disk":
        path = Path("/dev/full")
    log_to(path)
    try:
        raise OSError("the worker is gone")
    except OSError:
        logging.getLogger("validator.engines.shards").exception("played here instead")
    assert capsys.readouterr() == ("", "")
