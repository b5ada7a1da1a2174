"""What is selected survives the way through the address bar."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import links
from dashboard.links import Filter, filter_of, query_of


@pytest.mark.parametrize(
    "chosen",
    [
        Filter(),
        Filter(verdicts=("pass", "fail")),
        Filter(verdicts=("warn",), text="maze & more, <b>"),
    ],
)
def test_a_filter_comes_back(chosen: Filter) -> None:
    assert filter_of(query_of(chosen)) == chosen


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"verdict": "fail,great,pass"}, Filter(verdicts=("pass", "fail"))),
        ({"verdict": ""}, Filter()),
        ({"text": "x" * 1000}, Filter(text="x" * 200)),
        ({"other": "1"}, Filter()),
    ],
)
def test_what_an_address_cannot_mean_is_left_out(query: dict[str, str], expected: Filter) -> None:
    assert filter_of(query) == expected


@given(st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable()))
def test_a_run_id_stays_one_value_of_the_address(run_id: str) -> None:
    parts = urlsplit(links.environment(run_id))
    assert parse_qs(parts.query) == {"page": ["environment"], "run": [run_id]}
    assert (parts.scheme, parts.netloc, parts.path, parts.fragment) == ("", "", "", "")
