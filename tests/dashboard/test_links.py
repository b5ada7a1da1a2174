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
        Filter(tag="team=a,b & <c>"),
        Filter(moves=("fix first",), sort="per_hour", leaf=3, picked=("a1", "b2")),
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
        ({"tag": "x" * 1000}, Filter(tag="x" * 200)),
        ({"other": "1"}, Filter()),
        ({"next": "run away,train"}, Filter(moves=("train",))),
        ({"sort": "colour", "leaf": "-1", "pick": "../x,<b>"}, Filter()),
        ({"leaf": "99999999999999999999"}, Filter()),
        ({"leaf": "٣"}, Filter()),
        ({"pick": "a,b,c"}, Filter(picked=("a", "b"))),
    ],
)
def test_what_an_address_cannot_mean_is_left_out(query: dict[str, str], expected: Filter) -> None:
    assert filter_of(query) == expected


@given(st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable()))
def test_a_run_id_stays_one_value_of_the_address(run_id: str) -> None:
    parts = urlsplit(links.environment(run_id))
    assert parse_qs(parts.query) == {"page": ["environment"], "run": [run_id]}
    assert (parts.scheme, parts.netloc, parts.path, parts.fragment) == ("", "", "", "")


def test_every_page_has_an_address_that_selects_it() -> None:
    addresses = {
        links.rollouts("r1", 4, 7): {
            "page": "rollouts", "run": "r1", "episode": "4", "beside": "7",
        },
        links.rollout_named("r1", "-/seed-0/random/0"): {
            "page": "rollouts", "run": "r1", "name": "-/seed-0/random/0",
        },
        links.compare("r1", "r2"): {"page": "compare", "one": "r1", "other": "r2"},
        links.start(): {"page": "run"},
        links.ranking(Filter(text="x"), leaf=2): {"text": "x", "leaf": "2"},
    }  # fmt: skip
    for address, query in addresses.items():
        assert parse_qs(urlsplit(address).query) == {name: [value] for name, value in query.items()}
    assert links.ranking(Filter()) == links.HOME
