"""How long episodes are where none seems to end."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, World
from validator.table import EpisodeTable

SHORT, MOST = 4, 12


class Endless(Guess):
    """Goes on for ever."""

    end: int | None = None

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["reward"], found["done"] = 0.0, self._tries == self.end
        return found


class Late(Endless):
    """Ends, though later than a short episode would show."""

    end = 10


def played(world: type[World], folder: Path, **told: Any) -> tuple[Any, Counter[tuple[bool, int]]]:
    report = judge(world, folder, max_steps=MOST, **told)
    rows = EpisodeTable.of(folder / "run" / "episodes").rows
    return report, Counter((row.key.condition == "long", row.steps) for row in rows)


def test_where_none_ends_few_are_played_to_the_last_step(tmp_path: Path) -> None:
    report, steps = played(Endless, tmp_path, unending_steps=SHORT)
    assert set(steps) == {(True, MOST), (False, SHORT)}
    assert steps[True, MOST] == 3
    found = answer(report, "episode.termination")
    assert (found.status, found.question) == ("fail", True)
    assert found.reason.endswith(
        f"episodes ended within {SHORT} steps, nor 3 of them within {MOST}"
    )
    assert found.findings[0].saw == f"{MOST} steps, none of them done"
    assert answer(report, "runtime.episode_determinism").status == "pass"


@pytest.mark.parametrize(
    ("world", "told", "longest"),
    [(Late, {"unending_steps": SHORT}, 10), (Endless, {}, MOST)],
    ids=["one ends", "length is told"],
)
def test_else_all_are_played_alike(
    tmp_path: Path, world: type[World], told: dict[str, Any], longest: int
) -> None:
    _, steps = played(world, tmp_path, **told)
    assert {steps_played for _, steps_played in steps} == {longest}
