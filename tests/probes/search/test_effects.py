"""What an action moves is learned as a line, and brought to where something shown stands."""

from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane
from probes.campaign import Terms
from probes.search.effects import Effects
from probes.search.search import Search
from tests.probes.campaigning import episodes


def pour(where: str, much: float) -> Json:
    return {"do": {"where": where, "much": much}}


def test_a_level_is_reached_from_two_changes_seen_elsewhere() -> None:
    effects = Effects()
    for much, change in ((1.0, 0.0), (3.0, 4.0)):
        effects.note(pour("a", much), {".a.is": 5.0}, {".a.is": 5.0 + change})
        effects.note(pour("b", much), {".b.is": 1.0}, {".b.is": 1.0 - much})
    here: Any = {".a.is": 7.0, ".a.goal": 10.0, ".b.is": 4.0, ".b.goal": 2.0, ".who": "x"}
    found = list(effects.aims(here))
    assert found[0] == pour("a", 2.5), "2 a unit, less 2, and 3 are missing"
    assert pour("b", 2.0) in found
    assert found.index(pour("b", 2.0)) < 5


def test_what_is_no_line_and_what_does_not_move_is_let_be() -> None:
    effects = Effects()
    for much in (1.0, 2.0, 3.0):
        effects.note(pour("a", much), {".n": 0, ".left": 9}, {".n": much**2, ".left": 8})
    effects.note({"x": 1.0, "y": 2.0}, {".n": 0}, {".n": 1})
    effects.note({"x": float("nan")}, {".n": 0}, {".n": 1})
    assert list(effects.aims({".n": 0.0, ".goal": 5.0, ".left": 7})) == []


def test_there_are_bounds() -> None:
    effects = Effects()
    for kind in range(200):
        leaves = {f".n{number}": float(number) for number in range(300)}
        for much in (1.0, 2.0):
            after = {path: value + much for path, value in leaves.items()}
            effects.note(pour(str(kind), much), leaves, after)
    found = list(effects.aims({f".n{number}": float(number) for number in range(400)}))
    assert len(found) <= 160


class Kettles:
    """Two kettles are to be brought to their marks; only the end pays."""

    def __init__(self, shift: float) -> None:
        self.shift = shift

    def reset(self) -> Json:
        self.marks = {"red": 61.3, "blue": 18.9}
        self.at = {"red": 20.0, "blue": 70.0}
        self.steps = 0
        return self._look()

    def step(self, action: Any) -> tuple[Json, float, bool]:
        self.at[action["kettle"]] += 0.5 * action["by"] + self.shift
        self.steps += 1
        right = sum(abs(self.at[one] - self.marks[one]) < 0.05 for one in self.at)
        return self._look(), float(right == 2), right == 2 or self.steps == 6

    def _look(self) -> Json:
        return {one: {"at": self.at[one], "mark": self.marks[one]} for one in self.at}


@pytest.mark.parametrize("shift", [0.0, -1.5])
@pytest.mark.parametrize("seed", range(3))
def test_several_parts_are_brought_to_their_marks(seed: int, shift: float) -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "kettle": {"enum": ["red", "blue"]},
            "by": {"type": "number", "minimum": -150, "maximum": 150},
        },
        "required": ["kettle", "by"],
    }
    terms = Terms(episodes=40, steps=900, longest=7, top=1.0)
    lane = Lane(action_schema=schema, tools=None)
    campaign = Search().campaign(lane, np.random.default_rng(seed), terms)
    episodes(campaign, lambda: Kettles(shift), 40)
    assert campaign.best == 1.0
