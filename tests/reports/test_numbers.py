"""A number is written with its interval and n, or as the reason why there is none."""

import doctest

import pytest

from reports import numbers
from reports.model import Measure


def test_examples_run() -> None:
    assert doctest.testmod(numbers).failed == 0


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (Measure(estimate=0.6204, low=0.48, high=0.741, n=40), "0.62 [0.48, 0.74], n = 40"),
        (Measure(estimate=0.0, low=0.0, high=0.004, n=900), "0.000 [0.000, 0.004], n = 900"),
        (Measure(estimate=1.0, low=1.0, high=1.0, n=3), "1 [1, 1], n = 3"),
        (Measure(estimate=-12.345, low=-20.0, high=-4.5, n=8), "-12 [-20, -4], n = 8"),
        (Measure(estimate=1234.5, low=1200.0, high=1270.0, n=8), "1,234 [1,200, 1,270], n = 8"),
        (Measure(estimate=0.5, low=0.3, n=8), "0.5 [0.3, no upper bound], n = 8"),
        (Measure(estimate=0.5, low=0.3, high=0.7, level=0.9, n=8),
         "0.50 [0.30, 0.70] (0.9 interval), n = 8"),
        (Measure(estimate=5.0, method="counted"), "5"),
        (Measure(estimate=0.004, low=0.003, high=0.006, n=9, unit="seconds"),
         "4.0 ms [3.0, 6.0], n = 9"),
        (Measure(estimate=2.5, low=0.9, high=4.0, n=9, unit="seconds"), "2.5 s [0.9, 4.0], n = 9"),
        (Measure(estimate=None, n=4, undefined="too few"), "undefined: too few"),
        (Measure(estimate=0.0, n=4), "0, n = 4"),
        (Measure(estimate=1e-12, n=4), "1e-12, n = 4"),
        (Measure(estimate=3e12, n=4), "3e+12, n = 4"),
        (Measure(estimate=-0.0001, low=-0.2, high=0.2, n=4), "0.00 [-0.20, 0.20], n = 4"),
    ],
)  # fmt: skip
def test_full(measure: Measure, expected: str) -> None:
    assert numbers.full(measure) == expected


def test_a_range_that_was_only_seen_is_said_beside_the_interval() -> None:
    measure = Measure(
        estimate=0.5, low=0.25, high=0.75, n=9, method="Gaffke, over clusters, range as seen"
    )
    assert numbers.full(measure) == "0.50 [0.25, 0.75] (range as seen), n = 9"
    assert numbers.parts(measure).interval == "[0.25, 0.75] (range as seen)"


def test_undefined_is_neither_zero_nor_nothing() -> None:
    undefined = Measure(estimate=None, undefined="no episode was scored")
    zero = Measure(estimate=0.0, low=0.0, high=0.1, n=30)
    assert numbers.short(undefined) == "undefined"
    assert numbers.short(zero) == "0.00 [0.00, 0.10]"


def test_what_was_counted_can_be_named() -> None:
    measure = Measure(estimate=0.5, low=0.4, high=0.6, n=1200, of="tasks")
    assert numbers.full(measure, counted=True) == "0.50 [0.40, 0.60], n = 1,200 tasks"
    assert numbers.sample(Measure(estimate=2.0, of="starts")) == ""
    assert numbers.sample(Measure(estimate=2.0, n=1, of="episodes")) == "n = 1 episode"
    assert numbers.sample(Measure(estimate=2.0, n=1, of="starts of each probe")) == (
        "n = 1 start of each probe"
    )
    assert numbers.sample(Measure(estimate=2.0, n=1, of="tasks or starts in both")) == (
        "n = 1 tasks or starts in both"
    )


def test_an_interval_wider_than_floats_is_written() -> None:
    widest = Measure(estimate=0.0, low=-1e308, high=1e308, n=3)
    assert numbers.full(widest) == "0 [-1e+308, 1e+308], n = 3"
