"""The document is written whole, and byte-equal for equal reports."""

from reports.model import Report, Target, load
from reports.writers.json import Json
from tests.reports.builders import hostile, worth_training


def named(name: str) -> str:
    """Return the name of a target after a way through a file."""
    target = Target.model_validate({**dict(worth_training().target), "name": name})
    report = worth_training().model_copy(update={"target": target})
    return load(Json().write(report).encode("utf-8").decode("utf-8")).target.name


def test_it_comes_back_equal_and_is_byte_equal_for_equal_reports() -> None:
    text = Json().write(hostile())
    assert load(text) == hostile()
    assert text == Json().write(hostile())
    assert text.endswith("}\n")


def test_what_the_environment_says_is_kept_as_it_was() -> None:
    assert named("\x1b[31m\u202e\U0001f600 ⚡") == "\x1b[31m\u202e\U0001f600 ⚡"


def test_half_characters_are_spelled_out_since_no_file_can_hold_them() -> None:
    assert named("a\ud83db") == "a\\ud83db"
    report = Report.model_validate({**dict(worth_training()), "manifest": {"\ud83d": ["\udc00"]}})
    assert load(Json().write(report)).manifest == {"\\ud83d": ["\\udc00"]}


def test_null_zero_and_undefined_stay_apart() -> None:
    report = load(Json().write(hostile()))
    assert report.headline["signal"].estimate is None
    assert report.ladder[0].score_low == 0.0
    assert report.target.tools is None
