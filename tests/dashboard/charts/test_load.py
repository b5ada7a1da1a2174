"""Throughput and latency are drawn where they were measured, with their intervals."""

from typing import Any

from dashboard.charts.ink import LIGHT
from dashboard.charts.load import latency, throughput
from reports.model import LoadPoint, Measure
from tests.reports.builders import worth_training


def rows(chart: Any) -> list[dict[str, Any]]:
    (found,) = chart.to_dict()["datasets"].values()
    return list(found)


def test_throughput_is_of_all_sessions_together() -> None:
    found = rows(throughput(worth_training().times.load, LIGHT))
    assert [row["sessions"] for row in found] == ["1", "2", "4", "8"]
    assert round(found[-1]["estimate"]) == 2510
    assert found[0]["written"] == "910 steps per second [820, 990], n = 6 rounds"


def test_latency_is_in_milliseconds_and_the_slowest_are_a_line_of_their_own() -> None:
    chart = latency(worth_training().times.load, LIGHT)
    found = {(row["sessions"], row["what"]): row["estimate"] for row in rows(chart)}
    assert round(found["1", "median"], 2) == 0.9
    assert round(found["8", "95% are within"], 2) == 8.99
    drawn = chart.to_dict()["layer"][0]["encoding"]
    assert drawn["y"]["title"] == "milliseconds a step"
    assert drawn["strokeDash"]["scale"]["domain"] == ["median", "95% are within"]


def test_what_has_no_interval_is_drawn_without_one() -> None:
    alone = Measure(estimate=10.0, n=1, of="rounds", unit="steps per second")
    slow = Measure(estimate=0.5, n=1, of="steps", unit="seconds")
    found = [
        LoadPoint(sessions=n, steps_per_second=alone, step_p50=slow, step_p95=slow) for n in (1, 8)
    ]
    first, last = rows(throughput(found, LIGHT))
    assert (first["low"], first["high"], last["estimate"]) == (None, None, 10.0)
    whole = throughput(found, LIGHT).to_dict()["layer"][1]["transform"]
    assert {"filter": "isValid(datum.low) && isValid(datum.high)"} in whole
