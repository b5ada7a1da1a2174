"""Ranges and lengths are found in the words that real errors and tasks use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.actions.ranges import length_named, spans


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("column must be between 0 and 6", 0, 6),
        ("guess the number between 1 and 20 within 10 turns", 1, 20),
        ("an integer from -3 to 3", -3, 3),
        ("must be in 0..8", 0, 8),
        ("move out of range [2, 4]", 2, 4),
        ("valid range: [0, 4)", 0, 3),
        ("9 is not in range(0, 9)", 0, 8),
        ("action must be in range(7)", 0, 6),
        ("select the square number (0-8)", 0, 8),
        ("invalid action 9: choose 0-6", 0, 6),
        ("0 <= x < 9", 0, 8),
        ("throttle between 0.25 and 0.75", 0.25, 0.75),
        ("index 9 is out of bounds for axis 0 with size 7", 0, 6),
    ],
)
def test_a_range_with_two_ends(text: str, low: float, high: float) -> None:
    (span,) = spans(text, one_sided=False)
    assert (span.low, span.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Input should be greater than or equal to 2", 2, None),
        ("Input should be less than or equal to 6", None, 6),
        ("x must be less than 7", None, 6),
        ("x must be greater than 0", 1, None),
        ("must be >= -1", -1, None),
        ("must be non-negative", 0, None),
    ],
)
def test_one_end_is_taken_from_an_error_alone(
    text: str, low: float | None, high: float | None
) -> None:
    (span,) = spans(text, one_sided=True)
    assert (span.low, span.high) == (low, high)
    assert spans(text, one_sided=False) == ()


@pytest.mark.parametrize(
    "text",
    [
        "String should have at least 3 characters",
        "on 2024-01-02",
        "you have 10 turns",
        "a score of 3 to 1",
        "from 9 to 2",
    ],
)
def test_other_numbers_are_no_range(text: str) -> None:
    assert spans(text, one_sided=True) == ()


def test_a_range_knows_the_words_of_its_line_before_it() -> None:
    first, second = spans("row is between 0 and 2\ncolumn is between 0 and 6", one_sided=True)
    assert "row" in first.about
    assert "column" not in first.about
    assert "column" in second.about
    assert "row" not in second.about


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("expected 6 values, got 3", 6),
        ("Expected action of shape (4,)", 4),
        ("must have length 3", 3),
        ("List should have at least 2 items", None),
        ("nothing of that kind", None),
    ],
)
def test_the_length_of_a_list(text: str, length: int | None) -> None:
    assert length_named(text) == length


@given(st.text("in between0123456789.-()[]<= \nrange", max_size=200))
def test_any_text_gives_ordered_ends(text: str) -> None:
    for span in spans(text, one_sided=True):
        assert span.low is None or span.high is None or span.low < span.high
