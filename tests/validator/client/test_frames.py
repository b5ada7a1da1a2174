"""Frames as they are kept: bounded, and never mistaken for one another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.client.frames import cut, hash_of_cut, parse, size
from validator.client.reading import Unreadable, read


def test_breadth_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validator.client.frames.VALUES", 1000)
    assert parse("[" + "0," * 1000 + "0]") == [0] * 1001
    with pytest.raises(ValueError, match="more than 1000 values"):
        parse("[" + "0," * 1001 + "0]")


@given(st.text(), st.integers(-5, 40))
def test_cut_keeps_the_beginning_and_the_hash_of_the_whole(text: str, most: int) -> None:
    kept = cut(text, most)
    whole = len(text.encode("utf-8", "surrogatepass"))
    assert size(text) == whole
    if whole <= most:
        assert kept == text
        return
    beginning, _, note = kept.rpartition("\n[cut: ")
    assert text.startswith(beginning)
    assert size(beginning) <= max(most, 0)
    assert note.startswith(f"{whole} bytes in all, sha256 ")
    assert hash_of_cut(kept) is not None
    assert isinstance(read(kept), Unreadable)


@given(st.text(min_size=3), st.text(min_size=3))
def test_cut_texts_are_equal_only_where_the_whole_ones_are(left: str, right: str) -> None:
    assert (cut(left, 2) == cut(right, 2)) is (left == right)
    assert (cut("same" + left, 4) == cut("same" + right, 4)) is (left == right)
    assert (hash_of_cut(cut(left, 0)) == hash_of_cut(cut(right, 0))) is (left == right)


def test_whole_text_has_no_hash() -> None:
    assert hash_of_cut('{"type": "observation"}') is None
