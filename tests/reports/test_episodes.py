"""Stored episodes come back step by step, as they were on the wire."""

import json
from pathlib import Path

import pytest

from reports.episodes import Episodes, first_difference, parts_that_differ
from tests.reports.builders import HOSTILE
from tests.reports.stored_episodes import broken, key, played, store_of
from validator.rollouts.record import encode, encode_frames


@pytest.fixture
def stored(tmp_path: Path) -> Episodes:
    return Episodes(
        store_of(
            tmp_path / "episodes",
            [
                played(key(), [{"at": 0}, {"at": 1}, {"at": 2}], [None, 1.0]),
                played(key(replay=1), [{"at": 0}, {"at": 1}, {"at": 3}], [None, 1.0]),
                broken(key("noop", seed=None)),
                played(key("greedy", task="t7"), [HOSTILE, "y" * 2_000_000], [0.5]),
            ],
        )
    )


def test_what_is_told_of_each_without_its_frames(stored: Episodes) -> None:
    assert [(one.name, one.outcome, one.score, one.steps) for one in stored.told] == [
        ("-/seed-0/random/0", "scored", 1.0, 2),
        ("-/seed-0/random/0/fresh-replay-1", "scored", 1.0, 2),
        ("-/seed-none/noop/0", "timeout", None, 0),
        ("t7/seed-0/greedy/0", "scored", 0.5, 1),
    ]
    assert [one.is_replay for one in stored.told] == [False, True, False, False]
    assert [one.start for one in stored.told] == ["seed 0", "seed 0", "seed none", "t7"]


def test_names_are_those_that_findings_use(stored: Episodes) -> None:
    for named in (key(), key(replay=1), key("noop", seed=None), key("greedy", task="t7")):
        found = stored.find(named.path)
        assert found is not None
        assert stored.at(found.place) == found
    assert stored.find("-/seed-9/random/0") is None


def test_an_episode_step_by_step(stored: Episodes) -> None:
    reset, first, second = stored.moves(0)
    assert (reset.number, reset.asked, reset.observation) == (0, {"seed": 0}, {"at": 0})
    assert (first.asked, first.reward, first.done) == ({"move": 1}, None, False)
    assert "reward" in first.fields, "null on the wire is not missing"
    assert (second.reward, second.done, second.seconds) == (1.0, True, 0.25)
    assert [frame.way for frame in second.frames] == ["sent", "received"]


def test_errors_and_silence_are_no_observations(stored: Episodes) -> None:
    error, silence = stored.moves(2)
    assert "no such task" in error.error
    assert (error.fields, silence.error) == ((), "no answer came")


def test_what_the_environment_sent_is_kept_whole(stored: Episodes) -> None:
    reset, step = stored.moves(3)
    assert reset.observation == HOSTILE
    assert len(step.observation) == 2_000_000


def test_the_first_difference(stored: Episodes) -> None:
    one, other = stored.moves(0), stored.moves(1)
    assert first_difference(one, other) == 2
    assert parts_that_differ(one[2], other[2]) == {"observation"}
    assert first_difference(one, one) is None
    assert first_difference(one, one[:2]) == 2, "one ended before the other"
    assert parts_that_differ(one[1], None) == frozenset()


def test_a_file_of_lines_is_read_as_older_runs_have_it(tmp_path: Path) -> None:
    lines = []
    for episode in (played(key(), [1, 2], [1.0]), broken(key("noop"))):
        record = encode(episode) | {"frames": encode_frames(episode.frames)}
        lines.append(json.dumps(record))
    path = tmp_path / "episodes.jsonl"
    path.write_text("\n".join([*lines, lines[0][:40]]), "utf-8")
    found = Episodes(path)
    assert [one.name for one in found.told] == ["-/seed-0/random/0", "-/seed-0/noop/0"]
    assert [move.observation for move in found.moves(0)] == [1, 2]


@pytest.mark.parametrize("harm", [b"", b"PAR1", b"not parquet at all"])
def test_what_is_no_store_says_so(tmp_path: Path, harm: bytes) -> None:
    with pytest.raises(ValueError, match="no episodes"):
        Episodes(tmp_path)
    (tmp_path / "episodes-000000000-000000001.parquet").write_bytes(harm)
    with pytest.raises(ValueError, match="damaged"):
        Episodes(tmp_path)


def test_a_place_that_is_not_there(stored: Episodes) -> None:
    with pytest.raises(ValueError, match="no such episode"):
        stored.moves(99)
