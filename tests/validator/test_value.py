"""What a run says training will gain."""

from types import SimpleNamespace

import pytest

from metrics import Undefined
from reports.advice import BEATEN, UNPAID
from validator.measures import measure
from validator.value import value_of_training


def row(probe: str, score: float | None, repeat: int, part: str = "") -> SimpleNamespace:
    key = SimpleNamespace(probe=probe, campaign=part, repeat=repeat, task="-", seed=repeat % 8)
    return SimpleNamespace(key=key, score=score)


def run(score_range, trained, random, solutions=()) -> SimpleNamespace:
    """Return as much of the evidence as is looked at."""
    chance = [row("random", score, place) for place, score in enumerate(random)]
    return SimpleNamespace(
        score_range=score_range,
        table=SimpleNamespace(campaigns=trained),
        probes=lambda rung: {"learner": ["learner"], "blind": ["random", "sticky"]}[rung],
        scored=lambda probes: chance if probes == ["random"] else [],
        oracle=[row("trajectory", score, place) for place, score in enumerate(solutions)],
    )


def rising(part: str, top: float) -> list[SimpleNamespace]:
    return [row("learner", top * place / 99, place, part) for place in range(100)]


def test_it_is_the_rise_of_the_learner_in_the_order_of_play() -> None:
    trained = rising("train", 5.0)
    trained.reverse()
    trained += [row("learner", 10.0, 500, "after"), row("learner", None, 501, "train")]
    found = value_of_training(run((0.0, 10.0), trained, [3.0] * 16))
    assert found.rise == pytest.approx(0.5)
    assert found.seen == pytest.approx(0.2)
    assert found.n == 100


def test_a_learner_with_new_starts_counts_before_one_that_may_know_its_own_by_heart() -> None:
    trained = rising("train", 10.0) + rising("new", 2.0)
    found = value_of_training(run((0.0, 10.0), trained, [0.0] * 16))
    assert found.rise == pytest.approx(0.2)


def test_scores_outside_the_declared_range_count_as_its_ends() -> None:
    trained = [row("learner", 25.0, place, "new") for place in range(20)]
    found = value_of_training(run((0.0, 10.0), trained, [-5.0] * 8, [30.0] * 8))
    assert (found.rise, found.seen) == (pytest.approx(0.0), 1.0)


def test_declared_solutions_say_whether_the_reward_is_what_is_meant() -> None:
    trained, chance = rising("new", 10.0), [0.5] * 16
    told = {
        scores[0]: value_of_training(run((0.0, 10.0), trained, chance, scores))
        for scores in ([10.0] * 8, [1.0] * 8, [5.0] * 20)
    }
    assert [told[score].form for score in (10.0, 1.0, 5.0)] == [
        "solutions declared", "solutions are not paid", "solutions are beaten",
    ]  # fmt: skip
    assert measure(told[1.0]).method.endswith(UNPAID), "advice looks for these words"
    assert measure(told[5.0]).method.endswith(BEATEN)


def test_without_a_range_or_a_learner_there_is_none() -> None:
    unranged = value_of_training(run(None, [], [1.0]))
    assert isinstance(unranged, Undefined)
    assert "score_range" in unranged.reason
    assert "learner" in value_of_training(run((0.0, 1.0), [], [1.0])).reason
