"""A digest is equal where a comparison finds nothing but ids, times and rounding."""

import uuid

from hypothesis import given
from hypothesis import strategies as st

from metrics.digests import LENGTH, digest
from metrics.divergence import diverges
from tests.metrics.test_divergence import JSON

NUMBERS = ("nan", "inf", "-inf")
VOLATILE = {"identity", "time", "jitter"}


def seen(value):
    return [{"observation": value, "reward": 0.0, "done": False}]


def test_ids_clocks_and_rounding_do_not_count():
    one = {"text": f"job {uuid.UUID(int=7)} at 12:00:01", "episode_id": 4, "x": 0.1, "at": 1.7e9}
    two = {"x": 0.3, "at": 1.8e9, "episode_id": 5, "text": f"job {uuid.UUID(int=9)} at 13:59:59"}
    assert digest(seen(one)) == digest(seen(two))
    assert len(digest(seen(one))) == LENGTH


def test_what_is_shown_counts():
    values = ["7", 7, None, True, [7], [7, 7], {"a": 7}, {"b": 7}, [[7], 7], [7, [7]], "", [], {}]
    assert len({digest(seen(value)) for value in values}) == len(values)
    assert digest(seen("a")) != digest([*seen("a"), *seen("a")])
    assert digest(seen("a") + seen("b")) != digest(seen("b") + seen("a"))


def test_a_deep_value_is_read():
    deep: object = "x"
    for _ in range(5000):
        deep = [deep]
    assert len(digest(seen(deep))) == LENGTH


@given(JSON, JSON)
def test_equal_digests_hide_nothing_but_numbers(a, b):
    difference = diverges(seen(a), seen(b), ignore=VOLATILE)
    if difference is None:
        assert digest(seen(a)) == digest(seen(b))
    elif digest(seen(a)) == digest(seen(b)):
        assert any(sign.isdigit() for sign in difference.a) or difference.a in NUMBERS


@given(st.text(max_size=30), st.text(max_size=30))
def test_texts_of_one_digest_differ_in_ids_and_times_at_most(a, b):
    same = diverges(seen(a), seen(b), ignore=VOLATILE) is None
    assert (digest(seen(a)) == digest(seen(b))) == same
