"""The capacity grows by what is granted, and shrinks by refusals that tell something."""

import pytest

from validator.rollouts import capacity
from validator.rollouts.capacity import COOLING, Capacity


class Clock:
    """A performance counter that is set by hand."""

    now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(capacity, "time", found)
    return found


class Lent:
    """Stands for a session: only which one it is counts."""


def of(*, most: int = 8, proven: int = 0, ramp: float = 0.0, granted: int = 0) -> Capacity:
    found = Capacity(most=most, proven=proven, ramp_seconds=ramp)
    for _ in range(granted):
        found.grant(Lent())  # type: ignore[arg-type]
    return found


def test_more_than_ever_is_news_and_the_same_again_is_not() -> None:
    found, one, other = of(proven=1), Lent(), Lent()
    assert not found.grant(one)  # type: ignore[arg-type]
    assert found.grant(other)  # type: ignore[arg-type]
    assert (found.open, found.most_open) == (2, 2)
    found.let_go(one)  # type: ignore[arg-type]
    assert not found.grant(one)  # type: ignore[arg-type]
    assert (found.open, found.most_open, found.refused_at) == (2, 2, None)


def test_places_are_taken_up_to_the_most_and_a_while_apart(clock: Clock) -> None:
    found = of(most=2, ramp=0.5)
    assert found.take_place(0)
    assert not found.take_place(1), "too soon"
    clock.now += 0.5
    assert found.take_place(1)
    clock.now += 0.5
    assert not found.take_place(2)


def test_a_repeated_refusal_beside_all_there_ever_were_is_the_limit(clock: Clock) -> None:
    found = of(granted=3)
    for told, pause in enumerate(COOLING):
        assert found.refuse(4) is (told == 0), "told once"
        assert found.refused_at == 3
        assert not found.take_place(3), "not at once"
        clock.now += pause
        assert found.take_place(3), "a slot may have been freed late"
    assert not found.refuse(4)
    clock.now += 1000
    assert not found.take_place(3)
    assert found.take_place(2)


def test_a_refusal_beside_fewer_says_nothing_unless_patience_is_over() -> None:
    found = of(proven=5, granted=2)
    assert not found.refuse(6)
    assert found.take_place(7)
    assert not found.refuse(5)
    assert (found.take_place(1), found.take_place(2)) == (True, False)
    assert found.refused_at is None
