"""Where two recordings differ, and how."""

import copy
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Divergence, diverges, first_divergence
from metrics.divergence import render

UUIDS = ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d")
VOLATILE = {"identity", "time"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
STEP = st.dictionaries(st.sampled_from(["observation", "reward", "done", "metadata"]), JSON)


def observed(*values):
    return [{"observation": value, "reward": None, "done": False} for value in values]


def kind_of(a, b, **options):
    found = diverges(observed({"x": a}), observed({"x": b}), **options)
    return None if found is None else found.kind


def test_equal_recordings_do_not_diverge():
    trace = observed({"board": [0, 1.5, None, "x"]}, [], "text")
    assert diverges(trace, copy.deepcopy(trace)) is None
    assert diverges([], []) is None
    assert diverges is first_divergence


def test_the_first_place_is_named():
    a = observed("start", {"board": [1, 2, 3, 4], "deep": {"odd key": [True]}})
    b = observed("start", {"board": [1, 2, 3, 5], "deep": {"odd key": [False]}})
    assert diverges(a, b) == Divergence(
        step=1, channel="observation", path="$.board[3]", kind="content", a="4", b="5"
    )
    b[1]["observation"]["board"][3] = 4
    assert diverges(a, b) == Divergence(
        step=1, channel="observation", path='$.deep["odd key"][0]', kind="content",
        a="true", b="false",
    )  # fmt: skip


def shown(a, b):
    found = diverges(observed(a), observed(b))
    return found.a, found.b


def test_what_is_shown_of_long_values_holds_their_difference():
    task = "Count the legs that there are in total when you are given a list of these animals: "
    assert len(task) > 80
    assert shown(task + "2 cats", task + "3 hens") == (
        '"…t of these animals: 2 cats"',
        '"…t of these animals: 3 hens"',
    )
    assert shown(task, task + "none") == (
        '"…t of these animals: "',
        '"…t of these animals: none"',
    )
    assert shown("a" * 30 + "b", "a" * 30 + "c") == (f'"{"a" * 30}b"', f'"{"a" * 30}c"')
    ours, theirs = shown([*range(90), "x", "y"], [*range(90), "y", "x"])
    assert ours == 'from [90] on ["x", "y"]'
    assert theirs == 'from [90] on ["y", "x"]'


@given(st.text(max_size=300), st.text(max_size=9), st.text(max_size=9))
def test_two_texts_that_differ_are_never_shown_alike(start, one, two):
    if one != two and not kind_of(start + one, start + two, ignore={"content"}):
        ours, theirs = shown(start + one, start + two)
        assert ours != theirs
        assert max(len(ours), len(theirs)) <= 8 * 80 + 4


@pytest.mark.parametrize(
    ("a", "b"),
    [(1, 1.0), (1, True), (1.0, True), (0, False), (0, None), ("1", 1), ([], {}), ("", None)],
)
def test_types_are_not_confused(a, b):
    assert kind_of(a, b) == "content"
    assert kind_of(a, copy.deepcopy(a)) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [(math.nan, math.nan), (0.0, -0.0), ({"p": 1, "q": 2}, {"q": 2, "p": 1})],
)
def test_equal_by_value(a, b):
    assert kind_of(a, b) is None


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (UUIDS[0], UUIDS[1], "identity"),
        ("run 3f2504e04f8911d3 is on", "run 9b1deb4d3b7d4bad is on", "identity"),
        ("<Env object at 0x7f3a10>", "<Env object at 0x7f4b20>", "identity"),
        ("at 2026-01-02T03:04:05Z", "at 2026-01-02T03:04:06Z", "time"),
        ("12:00:01 ready", "12:00:02 ready", "time"),
        ("took 0.53s", "took 0.61s", "time"),
        ("took 12 ms", "took 9 ms", "time"),
        (1760000000.25, 1760000007.5, "time"),
        (1760000000123, 1760000001123, "time"),
        (1760000000, 1760000001, "content"),
        ([1, 2, 3], [3, 1, 2], "order"),
        ([{"a": 1}, {"b": 2}], [{"b": 2}, {"a": 1}], "order"),
        ([1, 2, 3], [1, 2, 4], "content"),
        ([1, 1, 2], [1, 2, 2], "content"),
        (0.1 + 0.2, 0.3, "jitter"),
        (1e6, 1e6 + 0.5, "jitter"),
        (1.0, 1.0 + 1e-5, "content"),
        (math.nan, 1.0, "content"),
        (math.inf, -math.inf, "content"),
        ("move north", "move south", "content"),
        ("you have 5 seconds left", "you have 4 seconds left", "content"),
        ("cafe decade", "beef facade", "content"),
        ([1], [1, 2], "missing"),
        ({"k": 1}, {}, "missing"),
    ],
)  # fmt: skip
def test_kind_of_difference(a, b, kind):
    assert kind_of(a, b) == kind
    assert kind_of(b, a) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("episode_id", "identity"), ("sessionId", "identity"), ("id", "identity"),
        ("request-uuid", "identity"), ("timestamp", "time"), ("created_at", "time"),
        ("elapsed", "time"), ("latency_ms", "time"), ("startTime", "time"),
        ("grid", "content"), ("valid", "content"), ("time_left", "content"),
        ("timestep", "content"), ("format", "content"), ("solid", "content"),
    ],
)  # fmt: skip
def test_kind_by_the_name_of_the_field(name, kind):
    found = diverges(observed({name: 3}), observed({name: 4}))
    assert found is not None
    assert found.kind == kind


def test_reward_and_end_have_kinds_of_their_own():
    one = [{"observation": 1, "reward": 0.0, "done": False}]
    assert diverges(one, [{"observation": 1, "reward": 1.0, "done": False}]).kind == "reward"
    assert diverges(one, [{"observation": 1, "reward": None, "done": False}]).kind == "reward"
    assert diverges(one, [{"observation": 1, "reward": -1e-15, "done": False}]).kind == "jitter"
    found = diverges(one, [{"observation": 1, "reward": 0.0, "done": True}])
    assert (found.kind, found.channel, found.a, found.b) == ("end", "done", "false", "true")


def test_a_longer_recording_ends_later():
    found = diverges(observed(1, 2), observed(1))
    assert (found.step, found.kind, found.channel) == (1, "end", "done")
    assert diverges(observed(1, 2), observed(1), ignore={"end"}) is None


def test_a_channel_on_one_side_is_missing():
    found = diverges([{"observation": 1, "reward": 0.0}], [{"observation": 1}])
    assert (found.kind, found.channel, found.path) == ("missing", "reward", "$")
    assert (found.a, found.b) == ("0.0", "(missing)")
    found = diverges(observed(1), [{"error": {"code": "X", "message": "no"}}])
    assert (found.kind, found.channel) == ("missing", "error")


def test_ignored_kinds_are_passed_over_and_the_rest_is_found():
    a = observed({"id": 1, "at": "12:00:01", "x": 1.0, "y": 2})
    b = observed({"id": 2, "at": "12:00:02", "x": 1.0 + 1e-9, "y": 3})
    assert diverges(a, b).kind == "identity"
    assert diverges(a, b, ignore={"identity"}).kind == "time"
    assert diverges(a, b, ignore=VOLATILE).kind == "jitter"
    assert diverges(a, b, ignore=VOLATILE | {"jitter"}).path == "$.y"
    assert diverges(a, b, ignore=VOLATILE | {"jitter", "content"}) is None


def test_a_text_with_id_and_time_is_ignored_only_with_both():
    a, b = "3f2504e04f8911d3 at 12:00:01", "9b1deb4d3b7d4bad at 12:00:02"
    assert kind_of(a, b, ignore={"time"}) == "identity"
    assert kind_of(a, b, ignore={"identity"}) == "time"
    assert kind_of(a, b, ignore=VOLATILE) is None


def test_keys_that_are_ids_are_paired_and_what_they_hold_compared():
    a = {"3f2504e04f8911d3": {"hp": 1}}
    b = {"9b1deb4d3b7d4bad": {"hp": 1}}
    assert kind_of(a, b) == "identity"
    assert kind_of(a, b, ignore=VOLATILE) is None
    b["9b1deb4d3b7d4bad"]["hp"] = 2
    assert kind_of(a, b, ignore=VOLATILE) == "content"


def test_a_missing_key_beside_a_paired_one_is_still_missing():
    a = {"3f2504e04f8911d3": 1, "gold": 2}
    b = {"9b1deb4d3b7d4bad": 1}
    assert kind_of(a, b, ignore=VOLATILE) == "missing"


@given(st.lists(STEP, max_size=4))
def test_a_recording_agrees_with_its_own_copy_in_any_key_order(trace):
    text = json.dumps(trace)
    turned = json.loads(text, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert diverges(json.loads(text), turned) is None


@given(st.lists(STEP, max_size=3), st.lists(STEP, max_size=3))
def test_divergence_is_symmetric_and_misses_nothing(a, b):
    one, two = diverges(a, b), diverges(b, a)
    same = json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
    assert (one is None) <= (same or "-0.0" in json.dumps([a, b]))
    assert (one is None) == (two is None)
    if same:
        assert one is None
    if one is not None:
        assert (one.step, one.kind) == (two.step, two.kind)
        assert len(one.path) < 4000
        assert one.a.isprintable()


def test_deep_nesting_is_walked_without_recursion():
    def nested(core, depth=50_000):
        for level in range(depth):
            core = [core] if level % 2 else {"k": core}
        return core

    assert diverges(observed(nested(1)), observed(nested(1))) is None
    found = diverges(observed(nested(1)), observed(nested(2)))
    assert found.kind == "content"
    assert len(found.path) < 200
    shallow = diverges(observed(nested(1)), observed(0))
    assert len(shallow.a) <= 101


def test_hostile_text_is_shown_printable_and_short():
    for value in ["\x1b[31m" + "a" * 10_000, "\u202e\u0085\ud800", {"\x00": ["x"] * 999}, 10**5000]:
        shown = render(value)
        assert shown.isprintable()
        assert len(shown) <= 101
