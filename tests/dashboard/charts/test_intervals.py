"""A table in, one picture out: points, intervals, words, and nothing where nothing is known."""

from typing import Any

from dashboard.charts.ink import DARK, LIGHT, ink
from dashboard.charts.intervals import Line, intervals
from reports.model import Measure
from tests.reports.builders import HOSTILE, share, undefined


def drawn(*measures: Measure) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    lines = [
        Line(label=f"probe {place}", note="does nothing", measure=measure)
        for place, measure in enumerate(measures)
    ]
    chart = intervals(lines, LIGHT, title="mean score").to_dict()
    ((_, rows),) = chart["datasets"].items()
    return chart, rows


def scales(chart: dict[str, Any]) -> set[tuple[float, ...]]:
    return {tuple(layer["encoding"]["x"]["scale"]["domain"]) for layer in chart["layer"]}


def test_a_row_holds_the_interval_and_the_number_in_words() -> None:
    _, rows = drawn(share(0.31, 0.22, 0.42))
    (row,) = rows
    assert (row["low"], row["estimate"], row["high"]) == (0.22, 0.31, 0.42)
    assert row["written"] == "0.31 [0.22, 0.42], n = 40 episodes"
    assert row["name"] == "probe 0, does nothing"


def test_undefined_is_said_and_has_no_point_and_zero_has_one() -> None:
    _, rows = drawn(undefined("no episode was scored"), share(0.0, 0.0, 0.09))
    assert rows[0]["estimate"] is None
    assert rows[0]["written"] == "undefined: no episode was scored"
    assert rows[1]["estimate"] == 0.0


def test_a_share_is_drawn_on_the_whole_of_its_range_and_a_score_on_its_own() -> None:
    assert scales(drawn(share(0.4, 0.3, 0.5))[0]) == {(0, 1)}
    assert scales(drawn(share(-4.0, -6.0, -2.0), share(3.0, 1.0, 9.0))[0]) == {(-6, 9)}
    assert scales(drawn(undefined("nothing"))[0]) == {(0, 1)}


def test_the_picture_is_told_to_those_who_do_not_see_it() -> None:
    chart, _ = drawn(share(0.31, 0.22, 0.42), undefined("not played"))
    assert chart["description"] == (
        "mean score: probe 0, does nothing: 0.31 [0.22, 0.42], n = 40 episodes; "
        "probe 1, does nothing: undefined: not played"
    )


def test_hostile_words_are_bounded_and_visible() -> None:
    line = Line(label=HOSTILE, note=HOSTILE, measure=undefined(HOSTILE))
    chart = intervals([line], DARK, title="mean score").to_dict()
    ((_, (row,)),) = chart["datasets"].items()
    assert "\x1b" not in row["name"] + row["written"]
    assert len(row["name"]) < 120
    assert len(row["written"]) < 120


def test_colours_follow_the_page() -> None:
    assert ink("dark") is DARK
    assert ink("light") is LIGHT
    assert ink(None) is LIGHT
