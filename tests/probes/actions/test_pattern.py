"""Patterns mean what Python's engine says they mean, without its exponential time."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.actions.pattern import LONGEST_MATCHED, UnreadPattern, read_pattern

ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", r"\.", "[a-c1-3]", "(?:ab)"])
COUNTS = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?"])
PIECES = st.builds(lambda atom, count: atom + count, ATOMS, COUNTS)
PATTERNS = st.recursive(
    st.lists(PIECES, min_size=1, max_size=3).map("".join),
    lambda inner: st.one_of(
        st.builds(lambda one, two: f"({one}|{two})", inner, inner),
        st.builds(lambda one: f"({one})+", inner),
        st.builds(lambda one: f"^{one}$", inner),
    ),
    max_leaves=4,
)


@given(PATTERNS, st.text("abc1.", max_size=8))
def test_matching_agrees_with_the_standard_engine(source: str, text: str) -> None:
    assert read_pattern(source).found_in(text) == bool(re.search(source, text)), source


@given(PATTERNS, st.integers(0, 2**32))
def test_what_is_written_matches(source: str, seed: int) -> None:
    pattern = read_pattern(source)
    if "^" in source.replace("[^", "")[1:] or "$" in source[:-1]:
        return  # an anchor inside need not be satisfiable
    text = pattern.write(np.random.default_rng(seed))
    assert re.search(source, text), (source, text)


@pytest.mark.parametrize(
    "source",
    ["(", ")", "[", "[]", "*a", "a{3,1}", r"\b", r"(a)\1", "(?=a)", "(?i)a", "a" * 2_000, "(" * 50],
)
def test_what_is_not_read_is_said(source: str) -> None:
    with pytest.raises(UnreadPattern):
        read_pattern(source)


@pytest.mark.parametrize("source", ["(a{100}){100}", "((a{99}){99}){99}", "(a?){9999}"])
def test_a_pattern_that_unfolds_beyond_reason_is_not_read(source: str) -> None:
    with pytest.raises(UnreadPattern, match="too many repetitions"):
        read_pattern(source)


@pytest.mark.parametrize("source", ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^((){9999}){9999}a*$"])
def test_patterns_that_explode_elsewhere_end_here(source: str) -> None:
    pattern = read_pattern(source)
    assert not pattern.found_in("a" * (LONGEST_MATCHED - 1) + "!")
    assert pattern.found_in("aaa")


def test_nothing_is_found_in_a_text_beyond_the_limit() -> None:
    assert not read_pattern("a").found_in("a" * (LONGEST_MATCHED + 1))
