"""Rewards of any size a wire can carry leave every check with an answer, none broken."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess
from validator.errors import SettingsError
from validator.manifest import parse_manifest

TOO_LARGE = {
    "the largest float": [1.7976931348623157e308],
    "the least float": [-1.7976931348623157e308],
    "both in turn": [1e308, -1e308],
    "an integer beyond every float": [10**400],
    "among usual ones": [0.0, 1.0, 1e308],
    "just beyond": [1.1e90],
}
USABLE = {
    "the smallest float": [5e-324],
    "small ones of both signs": [5e-324, -5e-324, 0.0],
    "tiny beside large": [1e90, 1e-300],
    "up to the limit, of both signs": [1e90, -1e90],
    "an integer beyond 64 bits": [10**30, 0],
}


def paying(rewards: list[Any]) -> type[Guess]:
    """Return a world that pays these rewards in turn, whatever is done."""

    class Extreme(Guess):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            self._due = itertools.cycle(rewards)

        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            found["reward"] = next(self._due)
            found["observation"]["paid"] = found["reward"]
            return found

    return Extreme


@pytest.mark.parametrize("name", TOO_LARGE)
def test_rewards_too_large_to_learn_from_fail_one_check_and_break_none(
    name: str, tmp_path: Path
) -> None:
    report = judge(paying(TOO_LARGE[name]), tmp_path)
    assert [one.id for one in report.results if one.status == "error"] == []
    found = answer(report, "runtime.reward_well_formed")
    assert found.status == "fail"
    assert "beyond 1e+90, which is no number to learn from" in found.reason


@pytest.mark.parametrize("name", USABLE)
def test_rewards_at_the_edges_break_no_check(name: str, tmp_path: Path) -> None:
    report = judge(paying(USABLE[name]), tmp_path)
    assert [one.id for one in report.results if one.status == "error"] == []
    assert answer(report, "runtime.reward_well_formed").status == "pass"


@pytest.mark.parametrize("field", ["score_range", "success_threshold"])
def test_a_declaration_beyond_the_limit_is_refused(field: str) -> None:
    value = [0, 1e308] if field == "score_range" else 1e308
    with pytest.raises(SettingsError, match=rf"{field}.*beyond 1e\+90"):
        parse_manifest({"envassay": {field: value}}, where="test")
