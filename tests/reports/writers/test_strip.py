"""An interval on a line of characters."""

import pytest

from reports.model import Measure
from reports.writers.strip import TYPED, scale, strip
from tests.reports.builders import share, undefined


def test_the_estimate_stands_within_its_interval() -> None:
    assert strip(share(0.5, 0.2, 0.7), (0.0, 1.0), 11) == "··├──●─┤···"
    assert strip(share(0.5, 0.2, 0.7), (0.0, 1.0), 11, TYPED) == "..[--o-]..."


def test_nothing_is_drawn_for_what_is_unknown() -> None:
    assert strip(undefined("none"), (0.0, 1.0), 5) == "     "
    assert scale([undefined("none")]) is None


def test_a_number_without_interval_is_a_point() -> None:
    assert strip(Measure(estimate=0.0), (0.0, 1.0), 5) == "●····"


def test_scores_beyond_a_share_have_a_scale_of_their_own() -> None:
    assert scale([share(0.1, 0.0, 0.2)]) == (0.0, 1.0)
    assert scale([share(-4.0, -6.0, -2.0), share(3.0, 1.0, 9.0)]) == (-6.0, 9.0)
    assert scale([Measure(estimate=7.0)]) == (6.5, 7.5)


@pytest.mark.parametrize("number", [1e90, -1e90, 2.0**60])
def test_a_single_number_of_any_size_is_in_the_middle_of_its_scale(number: float) -> None:
    one = Measure(estimate=number)
    ends = scale([one, one])
    assert ends is not None
    assert strip(one, ends, 5) == "··●··"
