"""Who is among the best few, and who must be played on."""

from pathlib import Path
from typing import Any

import pytest

from metrics.proportions import Proportion, proportion
from metrics.sequential import level_at_looks
from tests.validator.judging import judge
from tests.validator.memory import Guess
from validator.manifest import parse_manifest
from validator.race import Contender, contender, rounds_of, settle
from validator.recording import EPISODES
from validator.rollouts.budget import PRESETS, read_budget

PASS, WARN, FAIL = 0, 1, 2


def rate(hits: int, n: int) -> Proportion:
    found = proportion(hits, n)
    assert isinstance(found, Proportion)
    return found


def share(hits: int, n: int, *, verdict: int = PASS, known: int = 1, looks: int = 1) -> Contender:
    return Contender(place=(verdict, known), value=rate(hits, n), looks=looks)


UNKNOWN = Contender(place=(PASS, 2), value=None, looks=1)


def settled(top: int, **contenders: Contender) -> tuple[tuple[str, ...], set[str]]:
    found = settle(contenders, top, rounds=2, tolerance=0.05)
    return found.chosen, set(found.undecided)


def test_clear_differences_settle_all() -> None:
    assert settled(1, a=share(98, 100), b=share(20, 100), c=share(5, 100)) == (("a",), set())


def test_only_the_border_is_played_on() -> None:
    found = settled(2, a=share(99, 100), b=share(60, 100), c=share(55, 100), d=share(1, 100))
    assert found == (("a", "b"), {"b", "c"})


def test_a_worse_verdict_is_out_whatever_its_value() -> None:
    found = settled(1, a=share(20, 100), b=share(100, 100, verdict=FAIL), c=share(1, 100))
    assert found == (("a",), set())


def test_better_verdicts_fill_the_first_places() -> None:
    """Two of three places are theirs, whatever their values; the race is for the third."""
    found = settled(
        3,
        a=share(1, 2), b=share(2, 2),
        c=share(90, 100, verdict=WARN), d=share(2, 100, verdict=WARN), e=UNKNOWN,
    )  # fmt: skip
    assert found == (("b", "a", "e"), set())
    found = settled(
        2, a=share(1, 2), c=share(60, 100, verdict=WARN), d=share(58, 100, verdict=WARN)
    )
    assert found == (("a", "c"), {"c", "d"})


def test_a_known_value_comes_before_a_signal_and_a_signal_before_nothing() -> None:
    gains, signal = share(30, 100, known=0), share(100, 100)
    assert settled(1, a=signal, b=gains, c=UNKNOWN) == (("b",), set())
    assert settled(2, a=signal, b=UNKNOWN, c=UNKNOWN) == (("a", "b"), {"b", "c"})


def test_what_is_claimed_holds_for_all_targets_rounds_and_looks_at_once() -> None:
    """Error 0.05, by two rounds, two targets and four looks: 0.003125 for each interval."""
    a = share(60, 100, looks=4)
    low, _ = rate(60, 100).confidence_interval(1 - 0.05 / 16)
    assert low == pytest.approx(a.confidence_interval(level_at_looks(0.975, 2)).low)
    for hits in range(60):
        _, high = rate(hits, 100).confidence_interval(1 - 0.05 / 16)
        found = settled(1, a=a, b=share(hits, 100, looks=4))
        assert found == (("a",), {"a", "b"} if high > low + 0.05 else set())


def test_a_quick_look_comes_first_and_the_budget_last() -> None:
    names = {name: [one.name for one in rounds_of(read_budget(name))] for name in (*PRESETS, "40")}
    assert names == {
        "quick": ["quick"],
        "standard": ["quick", "standard"],
        "deep": ["quick", "standard", "2400", "4800", "deep"],
        "40": ["40"],
    }
    assert [one.name for one in rounds_of(read_budget("1500"))] == ["quick", "standard", "1500"]


def test_the_value_is_that_of_the_report(tmp_path: Path) -> None:
    declared: dict[str, Any] = {"score_range": [0.0, 1.0], "stochastic": False}
    report = judge(Guess, tmp_path, declared=declared)
    manifest = parse_manifest({"envassay": declared}, where="test")
    found = contender(report, tmp_path / "run" / EPISODES, manifest)
    measured = report.headline["signal"]
    low, high = found.confidence_interval(0.95)
    assert (found.estimate, low, high) == (measured.estimate, measured.low, measured.high)
    assert (found.n, found.place[1]) == (measured.n, 1)
    assert report.spending is not None
    assert found.looks == report.spending.looks > 1
