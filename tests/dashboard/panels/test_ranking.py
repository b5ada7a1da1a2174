"""One row of the ranking says what a reader needs, in words and not by colour."""

from dataclasses import replace

import pytest

from dashboard.links import Filter
from dashboard.panels.number import number, strip
from dashboard.panels.ranking import COLUMNS, MOST_TAGS, ranking
from reports.markup import Markup
from reports.model import Measure, Report
from reports.standing import standing
from reports.tracking.read import Row
from reports.when import moment
from tests.reports.builders import (
    HOSTILE,
    everything,
    left_open,
    pays_for_nothing,
    share,
    undefined,
    worth_training,
)
from tests.reports.test_markup import Seen


def row(report: Report) -> Row:
    return Row(run_id="0" * 32, standing=standing(report))


def said(html: Markup) -> str:
    return " ".join(Seen(html.replace("<", " <")).said.split())


def test_each_cell_has_its_column_for_those_who_see_cards() -> None:
    seen = Seen(ranking([(1, row(worth_training()), [])]))
    labels = [attrs["data-label"] for tag, attrs in seen.tags if "data-label" in attrs]
    assert labels == list(COLUMNS)
    heads = [attrs["scope"] for tag, attrs in seen.tags if tag == "th"]
    assert heads == ["col"] * len(COLUMNS)


def test_the_name_leads_to_the_page_of_the_run() -> None:
    seen = Seen(ranking([(1, row(worth_training()), [])]))
    assert [attrs["href"] for tag, attrs in seen.tags if tag == "a"] == [
        "?page=environment&run=" + "0" * 32,
        "?pick=" + "0" * 32,
    ]


def test_tags_are_links_to_all_that_have_them_and_say_nothing_more_than_text() -> None:
    found = Row(run_id="1", standing=replace(standing(worth_training()), tags=("grid", HOSTILE)))
    html = ranking([(1, found, [])], Filter(tag="grid", leaf=2))
    tags = [a for t, a in Seen(html).tags if a.get("class") == "ea-tag"]
    assert tags[0] == {
        "class": "ea-tag", "href": ".", "target": "_self",
        "aria-current": "true",
    }  # fmt: skip
    assert tags[1]["href"].startswith("?tag=%3Cimg+src%3Dx+onerror")
    assert "<img" not in html
    many = replace(found.standing, tags=tuple(f"t{n}" for n in range(MOST_TAGS + 1)))
    assert f" t{MOST_TAGS} " not in said(ranking([(1, Row(run_id="1", standing=many), [])]))


def test_a_row_in_words() -> None:
    text = said(ranking([(3, row(pays_for_nothing()), [])]))
    assert "3 quiz http://127.0.0.1:8002 1 Mar 2026, 12:00 UTC compare ✕ fail" in text
    assert "floor 0.94 [0.83, 0.98] n = 40 ceiling 0.95 [0.84, 0.99] n = 40" in text
    assert "1 at once ✕ too few groups of 8" in text
    assert "cost 18.4 s, 240 episodes, 2,760 steps" in text


def test_what_was_not_tried_is_neither_enough_nor_too_few() -> None:
    untried = replace(standing(worth_training()), sessions_served=4)
    assert "4 at once ○ untested" in said(ranking([(1, Row(run_id="1", standing=untried), [])]))


def test_undefined_and_zero_and_not_asked_look_different() -> None:
    zero, none = said(number(share(0.0, 0.0, 0.09))), said(number(undefined("too few")))
    assert (zero, none) == ("0.00 [0.00, 0.09] n = 40 episodes", "not measured too few")
    assert said(number(None)) == "not measured"
    assert "ea-undefined" in number(None)
    assert "ea-undefined" not in number(share(0.0, 0.0, 0.09))
    assert "ceiling not measured" in said(ranking([(1, row(left_open()), [])]))


def test_a_declared_number_says_so_where_nothing_was_counted() -> None:
    assert said(number(Measure(estimate=1.0, method="declared"))) == "1 declared"


def test_a_strip_is_drawn_to_scale() -> None:
    drawn = strip({"floor": share(0.25, 0.0, 0.5), "ceiling": share(0.75, 0.5, 1.0)})
    styles = [str(attrs["style"]) for _, attrs in Seen(drawn).tags if "style" in attrs]
    assert styles == [
        "left: 0.00%; width: 50.00%", "left: 25.00%", "left: 50.00%; width: 50.00%", "left: 75.00%",
    ]  # fmt: skip
    assert "ea-empty" in strip({"floor": undefined("nothing")})


def test_hostile_words_are_shown() -> None:
    rows = [(place, row(report), []) for place, report in enumerate(everything(), start=1)]
    seen = Seen(ranking(rows))
    ours = {
        "table", "colgroup", "col", "thead", "tbody", "tr", "th", "td", "span", "a", "b", "i", "p",
    }  # fmt: skip
    assert {tag for tag, _ in seen.tags} == ours
    assert HOSTILE[:20] in seen.said


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2026-03-01T12:04:59+00:00", "1 Mar 2026, 12:04 UTC"),
        ("2026-03-01T01:30:00+02:00", "28 Feb 2026, 23:30 UTC"),
        ("2026-03-01T01:30:00", "1 Mar 2026, 01:30 UTC"),
        ("yesterday", "yesterday"),
        ("", "time unknown"),
    ],
)
def test_moments(stamp: str, expected: str) -> None:
    assert moment(stamp) == expected
