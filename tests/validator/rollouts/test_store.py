"""What is written is read back as it was, whatever cuts the file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validator.client.frames import Frame, cut
from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Episode, EpisodeKey, Failed, Outcome, Scored, Step
from validator.rollouts.store import (
    EpisodeStore,
    decode_outcome,
    decode_reward,
    encode_reward,
    frames_of,
    read_episodes,
    read_one,
)
from validator.table import EpisodeTable, trace_of


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


@given(cut=st.integers(0, 5_000))
def test_a_file_cut_anywhere_keeps_every_whole_episode(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("store") / "e.jsonl"
    store = EpisodeStore.create(path)
    ends = [0]
    for seed in range(5):
        store.append(episode(seed, Number(seed), Scored(float(seed))))
        ends.append(path.stat().st_size)
    store.close()
    path.write_bytes(path.read_bytes()[:cut])
    whole = sum(end <= cut for end in ends) - 1
    assert [stored.key.seed for stored in read_episodes(path)] == list(range(whole))
    again = EpisodeStore.resume(path)
    assert {key.seed for key in again.kept} == set(range(whole))
    again.append(episode(9, Null(), Absent("null")))
    again.close()
    assert [stored.key.seed for stored in read_episodes(path)] == [*range(whole), 9]


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
