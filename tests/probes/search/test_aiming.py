"""Numbers that are aimed at: where pay is best, and where what is seen meets what is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.search.aiming import aims, levels


@given(st.floats(0.5, 9.5), st.floats(0.01, 5))
def test_an_even_fall_to_both_sides_is_hit_from_three_points(top: float, slope: float) -> None:
    tried = [(x, -slope * abs(x - top)) for x in (0.0, 10.0)]
    tried.append((5.0, -slope * abs(5.0 - top)))
    if min(abs(top - x) for x, _ in tried) > 0.01:
        assert any(found == pytest.approx(top, abs=1e-6) for found in aims(tried))


def test_uneven_falls_meet_and_a_parabola_has_its_vertex() -> None:
    steep = [(x, min(x - 3, 4 * (3 - x))) for x in (0.0, 2.0, 4.0, 10.0)]
    assert any(found == pytest.approx(3.0) for found in aims(steep))
    bent = [(x, -((x - 6.5) ** 2)) for x in (0.0, 5.0, 10.0)]
    assert any(found == pytest.approx(6.5) for found in aims(bent))


def test_beyond_the_best_end_is_looked_for_more() -> None:
    assert next(aims([(0.0, 0.0), (1.0, 0.5)])) == 2.0
    assert next(aims([(0.0, 0.5), (1.0, 0.0)])) == -1.0


def test_nothing_is_aimed_at_twice_nor_without_two_numbers() -> None:
    tried = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]
    assert all(abs(found - x) > 1e-5 for found in aims(tried) for x, _ in tried)
    assert list(aims([])) == list(aims([(3.0, 1.0)])) == []


def test_what_an_action_moves_is_brought_to_what_is_shown_beside_it_first() -> None:
    here = {".room.warm": 16.0, ".room.wanted": 20.0, ".left": 8}
    after = [
        (0.0, {".room.warm": 15.0, ".room.wanted": 20.0, ".left": 7}),
        (4.0, {".room.warm": 17.0, ".room.wanted": 20.0, ".left": 7}),
    ]
    found = list(levels(after, here))
    assert found[0] == pytest.approx(10.0)
    assert -14.0 in found, "left, too, is a level: 8 degrees"
    assert list(levels(after[:1], here)) == []
    still = [(x, {".room.warm": 15.0}) for x in (0.0, 1.0)]
    assert list(levels(still, here)) == []
