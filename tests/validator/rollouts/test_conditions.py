"""How an episode is played beside its actions: watched, past its end, in a crowd, along a walk."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from probes.base import Lane
from tests.validator.memory import Guess, MemoryTarget, observation
from tests.validator.probes import Dice
from tests.validator.quiz import ACTION, TOWNS, Babble, Quiz
from validator.episodes import EpisodeKey
from validator.events import Audience
from validator.rollouts.casting import Casting
from validator.rollouts.course import Course
from validator.rollouts.engine import run_plan
from validator.rollouts.needs import Need
from validator.rollouts.plan import CROWD, plan_episodes
from validator.rollouts.play import OVERRUN_STEPS, Rules
from validator.rollouts.start import Start, Trajectory
from validator.rollouts.store import EpisodeStore
from validator.table import EpisodeTable, Row, trace_of
from validator.targets.base import Task

STARTS = [Start(task=Task(id="-", options={}), seed=seed) for seed in (0, 5, 9)]


def played(
    tmp_path: Path, target: MemoryTarget, *needs: Need, probe: Dice | Babble | None = None
) -> EpisodeTable:
    plan = plan_episodes(needs, STARTS, {"random": "blind"}, ceiling=1000)
    lane = Lane(action_schema=None, tools=None)
    course = Course(
        plan=plan,
        casting=Casting({"random": probe or Dice()}, plan.walks, lane=lane, seed=1),
        rules=Rules(max_steps=20),
        most_sessions=4,
        seconds=60.0,
    )
    store = EpisodeStore.create(tmp_path / "e.jsonl")
    asyncio.run(run_plan(course, target, store, Audience()))
    store.close()
    return EpisodeTable.of(tmp_path / "e.jsonl")


def rows(table: EpisodeTable, condition: str) -> list[Row]:
    return [row for row in table.rows if row.key.condition == condition and row.key.replay]


class Talking(Guess):
    """Tells its state when it is asked."""

    def state(self) -> dict[str, Any]:
        return {"tries": self._tries}


def test_a_watched_replay_reads_the_state_at_every_step_and_plays_the_same(tmp_path: Path) -> None:
    need = Need(rung="blind", starts=3, replays=1, condition="watched")
    table = played(tmp_path, MemoryTarget(Talking), need)
    assert len(rows(table, "watched")) == 3
    for row in rows(table, "watched"):
        original = table.get(row.key.original)
        assert original is not None
        assert trace_of(table.frames(row)) == trace_of(table.frames(original))
        sent = [json.loads(f.text)["type"] for f in table.frames(row) if f.way == "sent"]
        assert sent == ["reset", *["state", "step"] * row.steps]


class PaysAfterwards(Guess):
    """Goes on paying when the episode has ended."""

    def step(self, action: Any) -> dict[str, Any]:
        if self._tries >= 3:
            return observation("over", reward=1.0, done=True)
        found = super().step(action)
        if found["done"]:
            self._tries = 3
        return found


def test_an_overrun_replay_steps_on_after_the_end_and_scores_the_same(tmp_path: Path) -> None:
    need = Need(rung="blind", starts=3, replays=1, condition="overrun")
    table = played(tmp_path, MemoryTarget(PaysAfterwards), need)
    for row in rows(table, "overrun"):
        original = table.get(row.key.original)
        assert original is not None
        assert (row.score, row.steps, original.after) == (original.score, original.steps, ())
        assert len(row.after) == OVERRUN_STEPS + row.steps
        assert all(done is True for _, done in row.after)
        assert {getattr(reward, "value", None) for reward, _ in row.after} == {1.0}


class BeginsAnew(Guess):
    """Takes a step after the end for a reset, and plays on."""

    over = False

    def step(self, action: Any) -> dict[str, Any]:
        if self.over:
            self.over = False
            return self.reset({"seed": 0})
        found = super().step(action)
        self.over = bool(found["done"])
        return found


def test_an_overrun_replay_plays_the_episode_once_more(tmp_path: Path) -> None:
    need = Need(rung="blind", starts=3, replays=1, condition="overrun")
    table = played(tmp_path, MemoryTarget(BeginsAnew), need)
    for row in rows(table, "overrun"):
        sent = [f.text for f in table.frames(row) if f.way == "sent"][1:]
        episode, after = sent[: row.steps], sent[row.steps :]
        assert after == [episode[-1]] * OVERRUN_STEPS + episode


class Reveals(Quiz):
    """Tells the right answer at the end, and takes it for one when it is sent once more."""

    def step(self, action: Any) -> dict[str, Any]:
        shown = {"correct_answer": self.right}
        return observation(shown, reward=self.grade(action["answer"]), done=True)


def test_what_only_the_end_shows_is_said_after_it(tmp_path: Path) -> None:
    target = MemoryTarget(Reveals, about=replace(MemoryTarget(Guess).about, action_schema=ACTION))
    need = Need(rung="blind", starts=3, replays=1, condition="overrun")
    table = played(tmp_path, target, need, probe=Babble())
    for row in rows(table, "overrun"):
        sent = [json.loads(f.text)["data"] for f in table.frames(row) if f.way == "sent"]
        assert sent[1 + row.steps + OVERRUN_STEPS] == {
            "answer": TOWNS[(row.key.seed or 0) % len(TOWNS)]
        }
        paid = [getattr(reward, "value", None) for reward, _ in row.after]
        assert paid == [0.0] * OVERRUN_STEPS + [1.0] + [0.0] * row.steps


class Refuses(Guess):
    """Raises on a step after the end."""

    over = False

    def step(self, action: Any) -> dict[str, Any]:
        if self.over:
            raise RuntimeError("reset first")
        found = super().step(action)
        self.over = bool(found["done"])
        return found


def test_an_overrun_that_is_refused_is_not_insisted_on(tmp_path: Path) -> None:
    need = Need(rung="blind", starts=3, replays=1, condition="overrun")
    table = played(tmp_path, MemoryTarget(Refuses), need)
    assert [len(row.after) for row in rows(table, "overrun")] == [OVERRUN_STEPS] * 3


def test_the_crowd_is_played_last_and_together(tmp_path: Path) -> None:
    busy = Need(rung="blind", starts=3, repeats=4)
    crowd = Need(rung="blind", starts=3, scripted=True, replays=2, condition="loaded")
    plan = plan_episodes((crowd, busy), STARTS, {"random": "blind"}, ceiling=1000)
    phases = [lane.phase for lane in plan.lanes]
    assert phases == sorted(phases)
    assert phases.count(CROWD) == 6
    target = MemoryTarget(Guess)
    table = played(tmp_path, target, crowd)
    assert len(rows(table, "loaded")) == 6
    assert target.most_sessions == 4


def walk(name: str, seed: int, *moves: int) -> Trajectory:
    start = Start(task=Task(id=f"@{name}", options={"level": 2}), seed=seed)
    return Trajectory(id=name, start=start, actions=tuple({"move": move} for move in moves))


def test_a_walk_plays_its_actions_from_its_start_and_then_leaves(tmp_path: Path) -> None:
    short, hit = walk("oracle/0", 0, 2), walk("oracle/1", 0, 0, 2, 1, 1)
    table = played(tmp_path, MemoryTarget(Guess), Need(walks=(short, hit), replays=1))
    found = {row.key.walk: row for row in table.rows if row.key.replay == 0}
    assert (found["oracle/0"].ended, found["oracle/0"].score) == ("left", 0.0)
    assert (found["oracle/1"].ended, found["oracle/1"].score) == ("done", 1.0)
    assert found["oracle/1"].steps == 3
    sent = [json.loads(f.text) for f in table.frames(found["oracle/1"]) if f.way == "sent"]
    assert sent[0] == {"type": "reset", "data": {"level": 2, "seed": 0}}
    assert [message["data"]["move"] for message in sent[1:]] == [0, 2, 1]
    assert table.originals() == []
    assert {row.key.replay for row in table.rows} == {0, 1}


def test_a_walk_has_a_stable_name() -> None:
    key = EpisodeKey(task="@oracle/0", seed=4, probe="trajectory", repeat=0, walk="oracle/0~cut")
    assert key.path == "@oracle/0/seed-4/trajectory/oracle/0~cut"
