"""What a run says training will gain."""

from types import SimpleNamespace

import pytest

from metrics import Undefined
from validator.value import value_of_training


def row(probe: str, score: float | None, repeat: int, part: str = "") -> SimpleNamespace:
    key = SimpleNamespace(probe=probe, campaign=part, repeat=repeat, task="-", seed=repeat % 8)
    return SimpleNamespace(key=key, score=score)


def run(score_range, trained, random) -> SimpleNamespace:
    """Return as much of the evidence as is looked at."""
    chance = [row("random", score, place) for place, score in enumerate(random)]
    return SimpleNamespace(
        score_range=score_range,
        table=SimpleNamespace(campaigns=trained),
        probes=lambda rung: {"learner": ["learner"], "blind": ["random", "sticky"]}[rung],
        scored=lambda probes: chance if probes == ["random"] else [],
    )


def test_it_is_the_end_of_learning_less_random_play_in_the_order_of_play() -> None:
    scores = [0.0] * 80 + [8.0] * 20
    trained = [row("learner", score, place, "train") for place, score in enumerate(scores)]
    trained.reverse()
    trained += [row("learner", 10.0, 500, "after"), row("learner", None, 501, "train")]
    found = value_of_training(run((0.0, 10.0), trained, [3.0] * 16))
    assert found.estimate == pytest.approx(0.5)
    assert found.n == 20


def test_scores_outside_the_declared_range_count_as_its_ends() -> None:
    trained = [row("learner", 25.0, place, "train") for place in range(20)]
    assert value_of_training(run((0.0, 10.0), trained, [-5.0] * 8)).estimate == 1.0


def test_without_a_range_or_a_learner_there_is_none() -> None:
    unranged = value_of_training(run(None, [], [1.0]))
    assert isinstance(unranged, Undefined)
    assert "score_range" in unranged.reason
    assert "learner" in value_of_training(run((0.0, 1.0), [], [1.0])).reason
