"""What is written is read back as it was, whatever cuts the file."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validator.client.frames import Frame, cut
from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Episode, EpisodeKey, Failed, Outcome, Scored, Step
from validator.rollouts.record import decode_outcome, decode_reward, encode_reward, frames_of
from validator.rollouts.store import (
    Episodes,
    EpisodeStore,
    read_episodes,
    read_one,
    read_records,
    take_over,
)
from validator.table import EpisodeTable, trace_of

ROOT = Path(__file__).resolve().parents[3]


def episode(seed: int, reward: Reward, outcome: Outcome, text: str = "{}") -> Episode:
    step = Step(
        action={"move": 1},
        observation=text,
        metadata=None,
        reward=reward,
        done=True,
        error=None,
        seconds=0.25,
    )
    return Episode(
        key=EpisodeKey(task="a/b", seed=seed, probe="noop", repeat=0),
        position=0,
        outcome=outcome,
        ended="done",
        start={},
        steps=(step,),
        frames=(Frame("sent", text, 0.0), Frame("received", text, 0.1)),
        open_seconds=None,
        reset_seconds=0.1,
        seconds=0.4,
    )


finite = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**60), 2**60)
rewards = st.one_of(
    st.builds(Number, finite), st.just(Null()), st.just(Missing()), st.builds(NotANumber, st.text())
)
outcomes = st.one_of(
    st.builds(Scored, st.floats(allow_nan=False, allow_infinity=False)),
    st.builds(Absent, st.text()),
    st.builds(Failed, boundary=st.sampled_from(["timeout", "refused", "error"]), why=st.text()),
)


@given(rewards)
def test_rewards_come_back_as_they_were(reward: Reward) -> None:
    found = decode_reward(encode_reward(reward))
    assert found == reward
    assert type(found) is type(reward)


@given(reward=rewards, outcome=outcomes, text=st.text())
def test_episodes_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, reward: Reward, outcome: Outcome, text: str
) -> None:
    path = tmp_path_factory.mktemp("store") / "e.jsonl"
    written = episode(0, reward, outcome, text)
    store = EpisodeStore.create(path)
    store.append(written)
    store.close()
    (stored,) = read_episodes(path)
    assert stored.key == written.key
    assert decode_outcome(stored.record["outcome"]) == outcome
    assert [frame.text for frame in frames_of(stored.record)] == [text, text]


def seeds_in(path: Path) -> list[int | None]:
    return [stored.key.seed for stored in read_episodes(path)]


def seeds_in_pandas(path: Path) -> list[int]:
    found: list[int] = pandas.read_parquet(path)["seed"].tolist()
    return found


def filled(path: Path, count: int, *, close: bool = True) -> EpisodeStore:
    store = EpisodeStore.create(path)
    for seed in range(count):
        store.append(episode(seed, Number(seed), Scored(float(seed)), f"frame {seed}"))
    if close:
        store.close()
    return store


def tail_of(path: Path, count: int) -> bytes:
    """Return what stands in the tail of a store before it is closed."""
    store = filled(path, count, close=False)
    (tail,) = path.iterdir()
    lines = tail.read_bytes()
    store.close()
    return lines


@given(cut=st.integers(0, 5_000))
def test_a_tail_cut_anywhere_keeps_every_whole_episode(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("store")
    lines = tail_of(path / "whole", 5)
    ends = [len(lines[: end + 1]) for end, byte in enumerate(lines) if byte == ord("\n")]
    (path / "_tail-000000000.jsonl").write_bytes(lines[:cut])
    whole = sum(end <= cut for end in ends)
    assert seeds_in(path) == list(range(whole))
    again = EpisodeStore.resume(path)
    assert {key.seed for key in again.kept} == set(range(whole))
    again.append(episode(9, Null(), Absent("null")))
    assert seeds_in(path) == [*range(whole), 9]
    again.close()
    assert seeds_in(path) == [*range(whole), 9]
    files = [file.suffix for file in path.iterdir() if file.is_file()]
    assert files == [".parquet"] * (2 if whole else 1)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_store_left_at_any_moment_loses_and_doubles_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Every state that a kill can leave: of each segment its tail, its part, itself, or two."""
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("validator.rollouts.store.SEGMENT_EPISODES", 3)
        patch.setattr("validator.rollouts.store._write", lambda *_: None)
        filled(folder / "tails", 8)
        patch.undo()
        patch.setattr("validator.rollouts.store.SEGMENT_EPISODES", 3)
        filled(folder / "segments", 8)
    tails = sorted((folder / "tails").iterdir())
    segments = sorted((folder / "segments").iterdir())
    assert len(tails) == len(segments) == 3
    left = folder / "left"
    left.mkdir()
    for tail, segment in zip(tails, segments, strict=True):
        state = data.draw(st.sampled_from(["tail", "writing", "written", "done"]))
        if state == "writing":
            part = segment.read_bytes()
            cut = data.draw(st.integers(0, len(part)))
            (left / f".{segment.name}.part").write_bytes(part[:cut])
        elif state != "tail":
            shutil.copy(segment, left)
        if state != "done":
            shutil.copy(tail, left)
    assert seeds_in(left) == list(range(8))
    assert [one.key.seed for one in read_records(left)] == list(range(8))
    EpisodeStore.resume(left).close()
    assert seeds_in(left) == seeds_in_pandas(left) == list(range(8))
    assert {file.suffix for file in left.iterdir()} == {".parquet"}


def test_a_process_killed_while_it_writes_leaves_what_it_said_it_wrote(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from tests.validator.rollouts.test_store import episode, Number, Scored\n"
        "from validator.rollouts import store as s; s.SEGMENT_EPISODES = 5\n"
        "store = s.EpisodeStore.create(Path(sys.argv[1]))\n"
        "for seed in range(10**6):\n"
        "    store.append(episode(seed, Number(seed), Scored(0.0), 'x' * 1000))\n"
        "    print(seed, flush=True)\n"
    )
    path = tmp_path / "e"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as child:
        assert child.stdout is not None
        said = [int(child.stdout.readline()) for _ in range(32)]
        child.kill()
        said += [int(line) for line in child.stdout.read().splitlines()]
    found = seeds_in(path)
    assert found[: len(said)] == said
    assert found == list(range(len(found)))
    assert len(found) <= len(said) + 1
    again = EpisodeStore.resume(path)
    again.close()
    assert seeds_in(path) == seeds_in_pandas(path) == found


def test_one_episode_is_found_by_its_place_wherever_it_is(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("validator.rollouts.store.SEGMENT_EPISODES", 3)
        store = filled(tmp_path / "e", 8, close=False)
        reader = Episodes(tmp_path / "e")
        table = EpisodeTable.of(tmp_path / "e")
        assert [row.offset for row in table.rows] == list(range(8))
        for place in (7, 0, 4, 2):
            assert frames_of(reader.at(place).record)[0].text == f"frame {place}"
        store.close()
    for row in table.rows:
        assert table.frames(row)[1].text == f"frame {row.key.seed}"
    assert reader.at(7).key.seed == 7
    with pytest.raises(IndexError, match="no episode 8"):
        reader.at(8)


def test_pandas_reads_a_store_in_one_line_also_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "e"
    store = EpisodeStore.create(path)
    store.append(episode(0, Number(10**80), Scored(1.5)))
    store.append(episode(2**70, NotANumber("true"), Absent("half a pair: \ud83d")))
    store.append(episode(1, Null(), Failed(boundary="timeout", why="slow")))
    store.close()
    again = EpisodeStore.resume(path)
    again.append(episode(7, Null(), Scored(0.0)))
    frame = pandas.read_parquet(path)
    assert frame["outcome"].tolist() == ["scored", "absent", "timeout"]
    assert frame["why"].tolist() == ["", "half a pair: \\ud83d", "slow"]
    assert frame["score"].isna().tolist() == [False, True, True]
    assert frame["seed"].isna().tolist() == [False, True, False]
    assert [list(rewards) for rewards in frame["rewards"]][0] == [1e80]
    assert json.loads(frame["frames"][0])[1][:2] == ["r", "{}"]
    again.close()
    found = list(read_episodes(path))
    assert [one.key.seed for one in found] == [0, 2**70, 1, 7]
    assert found[0].record["rewards"] == [10**80]
    assert found[1].record["outcome"] == ["absent", "half a pair: \ud83d"]


def test_a_step_takes_few_bytes_with_its_frames(tmp_path: Path) -> None:
    said = json.dumps({"type": "observation", "data": {"observation": {"message": "hello there"}}})
    store = EpisodeStore.create(tmp_path / "e")
    for seed in range(500):
        one = episode(seed, Number(0.0), Scored(0.0), said)
        store.append(replace(one, steps=one.steps * 10, frames=one.frames * 10))
    store.close()
    size = sum(file.stat().st_size for file in (tmp_path / "e").iterdir())
    assert size < 60 * 5_000


def test_what_cannot_be_written_is_told_and_stays_in_the_tail(tmp_path: Path) -> None:
    store = filled(tmp_path / "e", 3, close=False)
    with pytest.MonkeyPatch.context() as patch:

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        patch.setattr("validator.rollouts.segments.write", full)
        with pytest.raises(OSError, match="No space"):
            store.close()
    assert seeds_in(tmp_path / "e") == [0, 1, 2]


def test_the_file_of_an_older_version_is_read_and_taken_over(tmp_path: Path) -> None:
    old = tmp_path / "episodes.jsonl"
    old.write_bytes(tail_of(tmp_path / "e", 4) + b'{"torn')
    assert [row.score for row in EpisodeTable.of(old).rows] == [0.0, 1.0, 2.0, 3.0]
    assert frames_of(read_one(old, 2).record)[0].text == "frame 2"
    take_over(old, tmp_path / "episodes")
    assert not old.exists()
    assert seeds_in(tmp_path / "episodes") == seeds_in_pandas(tmp_path / "episodes") == [0, 1, 2, 3]


def test_the_last_of_two_equal_keys_counts(tmp_path: Path) -> None:
    store = EpisodeStore.create(tmp_path / "e")
    for outcome in (Failed(boundary="timeout", why="slow"), Scored(3.0)):
        store.append(episode(1, Number(3), outcome))
    store.close()
    table = EpisodeTable.of(tmp_path / "e")
    assert [row.score for row in table.rows] == [3.0]
    assert read_one(tmp_path / "e", table.rows[0].offset).record["outcome"] == ["scored", 3.0]


def test_the_table_keeps_null_missing_error_and_zero_apart(tmp_path: Path) -> None:
    store = EpisodeStore.create(tmp_path / "e")
    kinds: list[tuple[Reward, str]] = [
        (Number(0), "number"), (Null(), "null"), (Missing(), "missing"),
        (NotANumber("true"), "not a number"),
    ]  # fmt: skip
    for seed, (reward, _) in enumerate(kinds):
        store.append(episode(seed, reward, Absent("x")))
    store.close()
    rows = EpisodeTable.of(tmp_path / "e").rows
    assert [row.kind_at(0) for row in rows] == [kind for _, kind in kinds]
    assert [list(row.values) for row in rows] == [[0.0], [], [], []]
    assert rows[3].odd == "true"
    counts = EpisodeTable.of(tmp_path / "e").counts()
    assert (counts.started, counts.scored, counts.absent) == (4, 0, 4)


def test_two_large_frames_that_were_cut_are_equal_only_where_the_whole_was() -> None:
    one, other = ("x" * 5_000 + end for end in "ab")
    asked = Frame("sent", '{"type": "reset"}', 0.0)

    def trace(text: str) -> object:
        return trace_of([asked, Frame("received", text, 0.0)])

    traces = [trace(cut(text, 2_000)) for text in (one, other, one)]
    assert traces[0] != traces[1]
    assert traces[0] == traces[2]
    traces = [trace(text) for text in (one, other)]
    assert traces[0] != traces[1]
