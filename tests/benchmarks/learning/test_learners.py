"""The group-relative learner's arithmetic, and what it reads."""

from typing import Any

import numpy as np
import pytest

from benchmarks.learning.features import ROWS, read_action, read_observation, row_of
from benchmarks.learning.group import Adam, Batch, Moment, relative
from benchmarks.learning.offers import Offer


def test_an_advantage_is_relative_to_the_group() -> None:
    found = relative(np.array([[1.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5, 0.5]]))
    assert found.tolist() == [[1.0, -1.0, -1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]


def _batch(tables: dict[str, np.ndarray]) -> tuple[Batch, np.ndarray]:
    moments = [
        Moment(rows=[0, 3], weights=[1.0, 0.5], actions=[(1,), (2, 4)], chosen=1, log_chance=0.0),
        Moment(rows=[5], weights=[2.0], actions=[(2, 4), (6,), (1,)], chosen=0, log_chance=0.0),
    ]
    log_chances = Batch.of(moments).forward(tables)[0]
    played = [
        Moment(
            rows=moment.rows,
            weights=moment.weights,
            actions=moment.actions,
            chosen=moment.chosen,
            log_chance=float(log_chances[place, moment.chosen]) - 0.05,
        )
        for place, moment in enumerate(moments)
    ]
    return Batch.of(played), np.array([0.7, -1.1], np.float32)


def _objective(batch: Batch, tables: dict[str, np.ndarray], advantages: np.ndarray) -> float:
    log_chances = batch.forward(tables)[0].astype(float)
    place = np.arange(len(advantages))
    ratio = np.exp(log_chances[place, batch.chosen] - batch.log_chances)
    gained = np.minimum(ratio * advantages, np.clip(ratio, 0.8, 1.2) * advantages)
    chances = np.exp(log_chances)
    entropy = -(chances * np.where(chances > 1e-30, log_chances, 0.0)).sum(axis=1)
    return float((gained + 2e-2 * entropy).mean())


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("state", (0, 2)), ("state", (3, 1)), ("state", (5, 0)), ("bias", (1,)),
        ("action", (2, 0)), ("action", (4, 3)), ("action", (6, 1)), ("linear", (1,)),
        ("linear", (6,)),
    ],
)  # fmt: skip
def test_the_gradient_is_that_of_the_clipped_objective(name: str, at: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    tables: Any = {
        "state": rng.normal(0, 1, (ROWS + 1, 4)),
        "bias": rng.normal(0, 1, 4),
        "action": rng.normal(0, 1, (ROWS + 1, 4)),
        "linear": rng.normal(0, 1, ROWS + 1),
    }
    batch, advantages = _batch(tables)
    found = batch.gradient(tables, advantages)[name][at]
    ends = []
    for step in (1e-3, -1e-3):
        moved = {key: table.copy() for key, table in tables.items()}
        moved[name][at] += step
        ends.append(_objective(batch, moved, advantages))
    assert found == pytest.approx((ends[0] - ends[1]) / 2e-3, abs=2e-3)


def test_a_step_goes_up() -> None:
    tables = {"linear": np.zeros(3, np.float32)}
    Adam(tables).step({"linear": np.array([2.0, 0.0, -1.0], np.float32)})
    assert tables["linear"] == pytest.approx([4e-3, 0.0, -4e-3], rel=1e-4)


def test_what_can_be_done_is_a_product() -> None:
    offer = Offer({"tool": ["open", "submit"]}, "argument")
    found = offer.actions({"arguments": ["a", "b"], "request": "a"})
    assert found == [
        {"tool": "open", "argument": "a"},
        {"tool": "open", "argument": "b"},
        {"tool": "submit", "argument": "a"},
        {"tool": "submit", "argument": "b"},
    ]
    assert Offer({"arm": ["x", "y"]}, "").actions({}) == [{"arm": "x"}, {"arm": "y"}]


def test_an_observation_is_read_by_value_and_by_word() -> None:
    found = read_observation({"row": 3, "angle": 0.25, "text": "go on", "options": ["hidden"]})
    told = dict(zip(found.rows, found.weights, strict=True))
    assert told == {
        row_of("/row=3"): 1.0,
        row_of("/angle"): 0.25,
        row_of("/text go"): 1.0,
        row_of("/text ^ go"): 1.0,
        row_of("/text on"): 1.0,
        row_of("/text go on"): 1.0,
    }


def test_an_action_tells_where_it_occurs() -> None:
    seen = {"request": "open b", "result": ""}
    rows = [set(read_action({"tool": "open", "argument": text}, seen, "argument")) for text in "ab"]
    assert row_of("tool:open occurs request 1") in rows[1] - rows[0]
    assert row_of("tool:open occurs request 0") in rows[0] - rows[1]
