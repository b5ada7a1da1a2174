"""Campaigns: one after the other, heard of, spared, gone on with, and never taken for draws."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probes.base import Json, Lane, Rung, Seen
from probes.campaign import Campaigner, Result, Terms
from probes.learner.learner import Learner
from probes.search.search import Search
from tests.validator.memory import ACTION, Guess, MemoryTarget
from tests.validator.probes import Dice
from tests.validator.stores import leave
from validator.again import play_again
from validator.episodes import LEARNING, EpisodeKey
from validator.events import Audience
from validator.rollouts.campaigns import Campaigns
from validator.rollouts.casting import Casting
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.engine import run_plan
from validator.rollouts.needs import Effort, Need
from validator.rollouts.plan import plan_episodes
from validator.rollouts.play import Rules
from validator.rollouts.start import Start
from validator.rollouts.store import EpisodeStore, Stored, read_episodes
from validator.table import EpisodeTable
from validator.targets.base import Task

SEEDS = (0, 5, 9, 14, 20, 31)
SEARCH = Effort(starts=3, episodes=12, steps=60, each=True)
LEARNER = Effort(starts=3, episodes=30, steps=200, held_out=2, tries=2)
NEEDS = (
    Need(rung="blind", starts=6, repeats=4),
    Need(rung="search", campaign=SEARCH),
    Need(rung="learner", campaign=LEARNER),
)


@dataclass
class Diary:
    """A campaign that writes down what it is told."""

    told: list[Any] = field(default_factory=list)
    enough: int = 1000
    name = "diary"
    version = "1"
    rung: Rung = "learner"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "Diary":
        return self

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> "_Pages":
        self.told.append(terms)
        return _Pages(self, len([one for one in self.told if isinstance(one, Terms)]))


class _Pages:
    def __init__(self, diary: Diary, number: int) -> None:
        self._diary = diary
        self._number = number

    @property
    def finished(self) -> bool:
        return len([one for one in self._diary.told if isinstance(one, Result)]) >= (
            self._diary.enough
        )

    def begin(self, start: str, *, learning: bool) -> "_Pages":
        self._diary.told.append((self._number, start, learning))
        return self

    def act(self, seen: Seen) -> Json:
        return {"move": seen.step % 3}

    def ended(self, result: Result) -> None:
        self._diary.told.append(result)


def course(
    sessions: int,
    *probes: Any,
    needs: tuple[Need, ...] = NEEDS,
    top: float | None = None,
    new: tuple[int, ...] = (),
) -> Course:
    probes = probes or (Dice(), Search(), Learner())
    starts, further = (
        [Start(task=Task(id="-", options={}), seed=seed) for seed in seeds]
        for seeds in (SEEDS, new)
    )
    rules = Rules(max_steps=6)
    plan = plan_episodes(
        needs,
        starts,
        {probe.name: probe.rung for probe in probes},
        ceiling=1000,
        campaigners={probe.name for probe in probes if isinstance(probe, Campaigner)},
        new=further,
    )
    by_name = {probe.name: probe for probe in probes}
    lane = Lane(action_schema=ACTION, tools=None)
    campaigns = Campaigns(by_name, plan.efforts, lane=lane, seed=3, rules=rules, top=top)
    return Course(
        plan=plan,
        casting=Casting(by_name, plan.walks, lane=lane, seed=3, campaigns=campaigns),
        rules=rules,
        most_sessions=sessions,
        seconds=60.0,
    )


def played(
    path: Path, target: MemoryTarget, told: Course
) -> tuple[Rollouts, dict[EpisodeKey, Stored]]:
    store = EpisodeStore.resume(path) if path.exists() else EpisodeStore.create(path)
    try:
        found = asyncio.run(run_plan(told, target, store, Audience([])))
    finally:
        store.close()
    return found, {stored.key: stored for stored in read_episodes(path)}


def content(stored: Stored) -> tuple[Any, ...]:
    record = stored.record
    return record["outcome"], record["ended"], [text for _, text, _ in record["frames"]]


@pytest.mark.parametrize("sessions", [1, 3, 8])
def test_a_campaign_does_not_depend_on_what_runs_beside_it(tmp_path: Path, sessions: int) -> None:
    found, alone = played(tmp_path / "a", MemoryTarget(Guess), course(1))
    _, many = played(tmp_path / "b", MemoryTarget(Guess), course(sessions))
    assert {key: content(one) for key, one in alone.items()} == {
        key: content(one) for key, one in many.items()
    }
    parts = [key.campaign for key in alone if key.probe == "learner"]
    assert {part: parts.count(part) for part in set(parts)} == {
        "train": 30, "after": 10, "control": 10,
    }  # fmt: skip
    assert found.planned == len(alone)


def test_what_is_held_out_is_never_learned_from() -> None:
    (lane,) = [lane for lane in course(1).plan.lanes if lane.keys[0].probe == "learner"]
    by_part = {
        part: {key.seed for key in lane.keys if key.campaign == part}
        for part in ("train", "after", "control")
    }
    assert by_part["train"] == {0, 5, 9}
    assert by_part["after"] == by_part["control"] == {0, 5, 9, 14, 20}
    pairs = lane.keys[30:]
    assert {key.campaign for key in lane.keys[:30]} == {"train"}
    paired = list(zip(pairs[::2], pairs[1::2], strict=True))
    for one, other in paired:
        assert replace(one, campaign="control") == replace(other, campaign="control")
    assert {(one.campaign, other.campaign) for one, other in paired} == {
        ("after", "control"), ("control", "after"),
    }, "by lot"  # fmt: skip


def test_a_campaign_hears_of_every_episode_in_turn(tmp_path: Path) -> None:
    diary = Diary()
    needs = (Need(rung="learner", campaign=Effort(starts=2, episodes=4, steps=99, held_out=1,
                                                  tries=1)),)  # fmt: skip
    played(tmp_path / "e", MemoryTarget(Guess), course(2, diary, needs=needs, top=1.0))
    terms, *rest = diary.told
    assert terms == Terms(episodes=4, steps=99, longest=6, top=1.0, score="sum")
    begun = [one for one in rest if isinstance(one, tuple)]
    assert [one[1:] for one in begun if one[0] == 1] == [
        ("-/0", True), ("-/5", True), ("-/0", True), ("-/5", True),
        ("-/9", False), ("-/0", False), ("-/5", False),
    ]  # fmt: skip
    assert [one[1:] for one in begun if one[0] == 2] == [
        ("-/9", False), ("-/0", False), ("-/5", False),
    ], "one that learned nothing plays beside it"  # fmt: skip
    rest = [one for one in rest if not isinstance(one, Terms)]
    assert all(isinstance(one, Result) for one in rest[1::2])
    assert rest[1] == Result(score=1.0, reward=1.0, done=True, observation={"tries": 2})


def test_another_learner_is_given_a_new_start_each_time(tmp_path: Path) -> None:
    """What it learns there it cannot know by heart; few starts come again by turns."""
    diary = Diary()
    effort = Effort(starts=1, episodes=2, steps=99, new=5)
    needs = (Need(rung="learner", campaign=effort),)
    told = course(1, diary, needs=needs, new=(3, 5, 70))
    found, episodes = played(tmp_path / "e", MemoryTarget(Guess), told)
    first, second = (one for one in diary.told if isinstance(one, Terms))
    assert (first.episodes, second.episodes) == (2, 5)
    begun = [one for one in diary.told if isinstance(one, tuple)]
    assert [one[1:] for one in begun if one[0] == 1] == [("-/0", True), ("-/0", True)]
    assert [one[1:] for one in begun if one[0] == 2] == [
        ("-/3", True), ("-/5", True), ("-/70", True), ("-/3", True), ("-/5", True),
    ]  # fmt: skip
    assert found.planned == len(episodes) == 7
    seeds = [key.seed for key in episodes if key.campaign == "new"]
    assert sorted(seeds) == [3, 3, 5, 5, 70]


def test_a_session_that_breaks_is_replaced_and_the_campaign_goes_on(tmp_path: Path) -> None:
    class Breaks(Guess):
        resets = 0

        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            self.resets += 1
            if self.resets == 3:
                raise SystemExit
            return super().reset(data)

    diary = Diary()
    needs = (Need(rung="learner", campaign=Effort(starts=1, episodes=9, steps=99)),)
    found, episodes = played(tmp_path / "e", MemoryTarget(Breaks), course(1, diary, needs=needs))
    outcomes = [one.record["outcome"][0] for one in episodes.values()]
    assert outcomes == ["scored"] * 9
    assert found.infrastructure == 4
    assert len(list(read_episodes(tmp_path / "e-lost"))) == 4
    told = [one.score for one in diary.told if isinstance(one, Result)]
    assert len(told) == 9
    assert None not in told


def test_what_a_campaign_has_no_need_of_is_neither_played_nor_missed(tmp_path: Path) -> None:
    needs = (Need(rung="learner", campaign=Effort(starts=3, episodes=30, steps=99, held_out=1,
                                                  tries=1)),)  # fmt: skip
    told = course(2, Diary(enough=6), needs=needs)
    found, episodes = played(tmp_path / "e", MemoryTarget(Guess), told)
    parts = [key.campaign for key in episodes]
    assert (parts.count("control"), parts.count("train"), parts.count("after")) == (4, 6, 4)
    assert found.planned == len(episodes) == 14
    again, same = played(tmp_path / "e", MemoryTarget(Guess), course(2, Diary(), needs=needs))
    assert same.keys() == episodes.keys()
    assert again.planned == 14
    assert len(list(read_episodes(tmp_path / "e"))) == 14


def test_a_step_limit_ends_learning_and_not_scoring(tmp_path: Path) -> None:
    needs = (Need(rung="learner", campaign=Effort(starts=3, episodes=30, steps=7, held_out=1,
                                                  tries=1)),)  # fmt: skip
    _, episodes = played(tmp_path / "e", MemoryTarget(Guess), course(2, Diary(), needs=needs))
    trained = [len(s.record["rewards"]) for k, s in episodes.items() if k.campaign == "train"]
    assert sum(trained[:-1]) < 7 <= sum(trained)
    assert len([key for key in episodes if key.campaign == "after"]) == 4


def test_out_of_time_only_what_scores_is_played(tmp_path: Path) -> None:
    effort = Effort(starts=3, episodes=30, steps=99, seconds=-1.0, held_out=1, tries=1)
    needs = (Need(rung="learner", campaign=effort),)
    found, episodes = played(tmp_path / "e", MemoryTarget(Guess), course(2, Diary(), needs=needs))
    assert {key.campaign for key in episodes} == {"control", "after"}
    assert found.planned == len(episodes) == 8
    assert found.cut == {"diary": 30}


def test_what_was_cut_is_what_a_campaign_still_wanted(tmp_path: Path) -> None:
    """A campaign that has enough is not cut, nor one whose probe cannot play, nor other probes."""
    told = course(2, Dice(), Diary(enough=12), needs=NEEDS)
    found, _ = played(tmp_path / "whole", MemoryTarget(Guess), told)
    assert found.cut == {}
    found, episodes = played(
        tmp_path / "stopped", MemoryTarget(Guess), replace(course(2), seconds=-1.0)
    )
    assert "time limit" in found.stopped
    assert not episodes
    wanted = [key for lane in course(2).plan.lanes for key in lane.keys if key.campaign in LEARNING]
    assert found.cut == {
        name: sum(key.probe == name for key in wanted) for name in ("learner", "search")
    }


def test_a_half_played_campaign_is_played_again_from_its_start(tmp_path: Path) -> None:
    _, whole = played(tmp_path / "whole", MemoryTarget(Guess), course(1))
    leave(tmp_path / "cut", list(whole.values())[: len(whole) // 2])
    _, resumed = played(tmp_path / "cut", MemoryTarget(Guess), course(3))
    assert {key: content(one) for key, one in resumed.items()} == {
        key: content(one) for key, one in whole.items()
    }


def test_episodes_of_campaigns_are_no_draws(tmp_path: Path) -> None:
    played(tmp_path / "e", MemoryTarget(Guess), course(2))
    table = EpisodeTable.of(tmp_path / "e")
    assert {row.key.probe for row in table.rows} == {"random"}
    assert {row.key.probe for row in table.originals()} == {"random"}
    assert {row.key.probe for row in table.campaigns} == {"search", "learner"}
    assert len(table.everything) == len(table.rows) + len(table.campaigns)
    assert table.counts().started == len(table.everything)
    assert table.get(table.campaigns[0].key) is table.campaigns[0]
    paths = [row.key.path for row in table.everything]
    assert len(paths) == len(set(paths))
    assert "-/seed-0/learner/train-0" in paths
    assert "-/seed-5/search/explore-0" in paths


def test_an_episode_of_a_campaign_is_played_again_alone(tmp_path: Path) -> None:
    played(tmp_path / "e", MemoryTarget(Guess), course(2))
    table = EpisodeTable.of(tmp_path / "e")
    rows = [row for row in table.campaigns if row.position > 2][:2]
    shown = asyncio.run(play_again(MemoryTarget(Guess), table, rows))
    assert [one.row for one in shown] == rows
    assert [one.difference for one in shown] == [None, None]
    assert [len(one.now) for one in shown] == [row.steps + 1 for row in rows]


class _Torn(_Pages):
    """Breaks when it hears of its third episode."""

    def ended(self, result: Result) -> None:
        super().ended(result)
        assert len([one for one in self._diary.told if isinstance(one, Result)]) < 3, "torn"


class TornDiary(Diary):
    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> _Torn:
        return _Torn(self, 1)


def test_a_campaign_that_breaks_is_over_and_the_run_goes_on(tmp_path: Path) -> None:
    found, episodes = played(
        tmp_path / "e", MemoryTarget(Guess), course(1, Dice(), TornDiary(), needs=NEEDS[::2])
    )
    told = "the probe broke (AssertionError): please report it with the run's log"
    assert found.unplayable == {"diary": told}
    assert (found.stopped, found.broke) == ("", False)
    assert sum(key.probe == "diary" for key in episodes) == 3
    assert sum(key.probe == "random" for key in episodes) > 20
    assert found.planned == len(episodes)
