"""Scores and tasks are drawn in the order of the ladder, with what there is and no more."""

from dashboard.charts.heat import heat
from dashboard.charts.ink import LIGHT
from dashboard.charts.scores import scores
from reports.model import ScoreCount
from tests.reports.builders import worth_training

PROBES = ["noop", "random", "greedy"]


def test_no_circle_of_the_legend_stands_for_no_episode() -> None:
    found = [ScoreCount(probe="noop", score=0.0, episodes=n) for n in (1, 7)]
    drawn = scores(found, PROBES, LIGHT).to_dict()["encoding"]
    assert drawn["size"]["legend"]["values"] == [1, 4, 7]
    assert drawn["y"]["sort"] == PROBES
    one = scores(found[:1], PROBES, LIGHT).to_dict()["encoding"]
    assert one["size"]["legend"]["values"] == [1]


def test_tasks_have_a_line_for_each_probe_weakest_first() -> None:
    drawn = heat(worth_training().tasks, PROBES, LIGHT).to_dict()
    assert drawn["layer"][0]["encoding"]["y"]["sort"] == PROBES
    assert drawn["height"] == 26 * 3 + 110
