"""Kept replies come back, and a file that cannot be used is told of and ends nothing."""

from pathlib import Path

import pytest

from probes.model.cache import Cache, key_of


def test_a_reply_comes_back_from_the_file(tmp_path: Path) -> None:
    path, key = tmp_path / "new" / "replies.sqlite", key_of({"model": "m", "seed": 1})
    one = Cache(path)
    one.put(key, {"text": "left"})
    one.close()
    again = Cache(path)
    assert again.get(key) == {"text": "left"}
    assert again.get(key_of({"model": "m", "seed": 2})) is None
    again.close()


def test_equal_requests_have_equal_names_whatever_their_order() -> None:
    assert key_of({"a": 1, "b": [2]}) == key_of({"b": [2], "a": 1}) != key_of({"a": 1, "b": [3]})


def test_a_file_that_cannot_be_used_is_told_of_once_and_keeps_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "replies.sqlite"
    path.write_bytes(b"this is no database" * 100)
    cache = Cache(path)
    cache.put("a", {"text": "left"})
    assert cache.get("a") is None
    assert [record.getMessage() for record in caplog.records] == [
        f"replies are no longer kept in {path} (DatabaseError)"
    ]
