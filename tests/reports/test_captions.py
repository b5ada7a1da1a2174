"""What figures show is said in words, with what it was taken over."""

import pytest

from reports import captions, words
from reports.model import Learning
from tests.reports.builders import share, worth_training


def learned(*curve: tuple[int, float]) -> Learning:
    return Learning(
        episodes=60, curve=list(curve), slope=share(0.9, 0.4, 1.3),
        improvement=share(0.5, 0.2, 0.7, 8, "pairs"), gap=share(0.0, -0.1, 0.1, 8, "starts"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("curve", "ending"),
    [
        ([(10, 0.1), (20, 0.2), (30, 0.3)], " A point is the mean of 10 episodes."),
        ([(10, 0.1), (20, 0.2), (24, 0.3)], " A point is the mean of 4 to 10 episodes."),
        ([], "and played beside it."),
    ],
)
def test_a_point_of_a_learning_curve_says_what_it_is_the_mean_of(
    curve: list[tuple[int, float]], ending: str
) -> None:
    assert captions.curve("learner", learned(*curve)).endswith(ending)


def test_speed_is_told_for_one_session_and_for_all_of_them() -> None:
    assert captions.load(worth_training().times.load) == (
        "One session: 910 steps per second [820, 990], a step in 0.90 ms [0.81, 1.08] in the "
        "median. 8 sessions at once: 2,510 steps per second [2,262, 2,731], a step in "
        "2.6 ms [2.3, 3.1] in the median."
    )
    assert captions.load([]).startswith("Speed beside others was not measured")


def test_probes_stand_as_on_the_ladder_and_strangers_last() -> None:
    named = ["greedy", "stranger", "random", "constant", "noop", "random"]
    assert words.in_order(worth_training(), named) == [
        "constant", "noop", "random", "greedy", "stranger",
    ]  # fmt: skip
