"""What an earlier run may give to a later one, and when it may give nothing."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.base import Probe
from reports.model import Report
from reports.signing import evidence_hash, is_intact
from reports.spending import Reuse
from tests.validator.judging import judge
from tests.validator.memory import Guess, MemoryTarget
from tests.validator.probes import Dice, Steady
from tests.validator.stores import leave
from validator.checks.timeless import TIMELESS
from validator.episodes import EpisodeKey
from validator.plugins import Registry
from validator.rollouts.earlier import Earlier
from validator.rollouts.reuse import sample_of
from validator.rollouts.store import read_episodes
from validator.table import EpisodeTable, Row

HEALTHY: dict[str, Any] = {"score_range": [0.0, 1.0], "stochastic": False}
PROBES: tuple[Probe, ...] = (Steady(), Dice())


class Counting(Guess):
    """Knows how many resets and steps it was asked for."""

    resets = 0
    steps = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        type(self).resets += 1
        return super().reset(data)


class Harder(Guess):
    """Gives two tries."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        self._ended = self._ended or self._tries == 2
        return found | {"done": self._ended}


class Forgetful(Guess):
    """Draws its secret from nothing but how often it was asked."""

    asked = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        type(self).asked += 1
        return super().reset({"seed": self.asked * self.asked})


CHECKS = tuple(
    Registry("check").get(name).make()
    for name in (
        "runtime.startup", "runtime.episode_determinism", "semantic.floor_gap",
        "statistical.training_signal", "statistical.reward_reachability", "episode.termination",
    )
)  # fmt: skip


def earlier(world: Any, folder: Path, **told: Any) -> tuple[Report, Earlier]:
    report = judge(world, folder, declared=HEALTHY, **told)
    return report, Earlier(report=report, episodes=folder / "run" / "episodes")


def later(
    world: Any, folder: Path, offered: Iterable[Earlier], **told: Any
) -> tuple[Report, Reuse]:
    report = judge(world, folder, declared=HEALTHY, reuse=tuple(offered), **told)
    assert report.reuse is not None
    return report, report.reuse


def rows(folder: Path) -> tuple[Row, ...]:
    return EpisodeTable.of(folder / "run" / "episodes").everything


def test_an_unchanged_world_is_judged_the_same_with_fewer_episodes(tmp_path: Path) -> None:
    first, one = earlier(Counting, tmp_path / "first", fixed=True)
    before = Counting.resets
    report, reuse = later(Counting, tmp_path / "second", [one], fixed=True)
    assert Counting.resets - before < before
    assert (reuse.run, reuse.differed, reuse.origins) == ("run", 0, {"run": reuse.taken})
    assert reuse.taken > 0.3 * first.costs.episodes
    assert report.ledger.reused == reuse.taken
    assert report.costs.episodes == first.costs.episodes - reuse.taken
    assert report.ledger.started == first.ledger.started
    assert (report.tasks, report.headline) == (first.tasks, first.headline)
    assert [(r.id, r.status) for r in report.results] == [(r.id, r.status) for r in first.results]
    assert is_intact(report)
    assert evidence_hash(report.model_copy(update={"reuse": None})) != report.evidence_hash
    assert (
        f"{reuse.compared} episodes were played anew and came out as they are stored" in reuse.why
    )


def test_what_says_something_about_now_is_played_now(tmp_path: Path) -> None:
    _, one = earlier(Guess, tmp_path / "first")
    later(Guess, tmp_path / "second", [one])
    taken = [row for row in rows(tmp_path / "second") if row.origin]
    assert taken
    for row in taken:
        key = row.key
        assert (key.replay, key.condition, key.scripted, key.walk) == (0, "fresh", False, "")
        assert (row.open_seconds, row.reset_seconds, len(row.step_seconds)) == (None, None, 0)
    starts = {row.key.seed for row in taken}
    anew = [row for row in rows(tmp_path / "second") if not row.origin and not row.key.replay]
    assert starts <= {row.key.seed for row in anew if not row.key.scripted}


def test_a_larger_run_takes_what_a_smaller_one_has_played(tmp_path: Path) -> None:
    _, small = earlier(Guess, tmp_path / "small")
    whole = judge(Guess, tmp_path / "whole", declared=HEALTHY, fixed=True)
    report, reuse = later(Guess, tmp_path / "more", [small], fixed=True)
    assert 0 < reuse.taken < report.costs.episodes
    assert (report.tasks, report.headline) == (whole.tasks, whole.headline)
    assert report.ledger.started == whole.ledger.started
    assert [(r.id, r.status) for r in report.results] == [(r.id, r.status) for r in whole.results]


def test_a_run_that_has_taken_some_names_who_played_them(tmp_path: Path) -> None:
    _, first = earlier(Guess, tmp_path / "first")
    first = replace(first, report=first.report.model_copy(update={"run": "monday"}))
    second, reuse = later(Guess, tmp_path / "second", [first])
    again = Earlier(report=second, episodes=tmp_path / "second" / "run" / "episodes")
    _, third = later(Guess, tmp_path / "third", [again])
    assert reuse.origins == {"monday": reuse.taken}
    assert third.origins == {"monday": reuse.taken, "run": third.taken - reuse.taken}


def test_a_changed_world_is_played_in_full_and_the_report_says_so(tmp_path: Path) -> None:
    _, one = earlier(Guess, tmp_path / "first")
    fresh = judge(Harder, tmp_path / "fresh", declared=HEALTHY)
    report, reuse = later(Harder, tmp_path / "second", [one])
    assert (reuse.taken, report.ledger.reused) == (0, 0)
    assert reuse.differed > 0
    assert "came out otherwise than they are stored" in reuse.why
    assert (report.tasks, report.results) == (fresh.tasks, fresh.results)
    assert report.ledger.planned == fresh.ledger.planned


def test_a_world_that_does_not_repeat_gives_nothing(tmp_path: Path) -> None:
    _, one = earlier(Forgetful, tmp_path / "first", checks=CHECKS)
    report, reuse = later(Forgetful, tmp_path / "second", [one], checks=CHECKS)
    assert reuse.taken == 0
    assert report.ledger.started == report.costs.episodes


def test_what_was_taken_is_played_after_all_where_a_later_sample_differs(tmp_path: Path) -> None:
    """A world that is changed while a run is under way."""

    class Changing(Guess):
        resets = 0

        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            type(self).resets += 1
            return super().reset(data)

        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            if type(self).resets > most:
                return found | {"reward": 0.25}
            return found

    most = 10**9

    class Rare(Changing):
        """Pays nothing, so that a run goes on for further looks."""

        def step(self, action: Any) -> dict[str, Any]:
            found = super().step(action)
            return found | {"reward": 0.0 if found["reward"] == 1.0 else found["reward"]}

    first, one = earlier(Rare, tmp_path / "first")
    assert first.spending is not None
    assert len(first.spending.episodes) > 1
    steady, _ = later(Rare, tmp_path / "steady", [one])
    assert steady.spending is not None
    Rare.resets, most = 0, steady.spending.episodes[0]
    report, reuse = later(Rare, tmp_path / "second", [one])
    assert Rare.resets > most
    assert reuse.differed > 0
    assert (reuse.taken, report.ledger.reused) == (0, 0)
    assert not [row for row in rows(tmp_path / "second") if row.origin]
    assert report.ledger.planned == report.ledger.started == report.costs.episodes


def test_a_run_that_was_ended_goes_on_and_takes_no_episode_twice(tmp_path: Path) -> None:
    _, one = earlier(Guess, tmp_path / "first")
    whole, _ = later(Guess, tmp_path / "second", [one])
    folder = tmp_path / "second" / "run" / "episodes"
    kept = list(read_episodes(folder))
    leave(folder, kept[: len(kept) * 3 // 4])
    again, reuse = later(Guess, tmp_path / "second", [one])
    assert reuse == whole.reuse
    assert again.ledger == whole.ledger
    assert len(rows(tmp_path / "second")) == whole.ledger.started


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"target": "fingerprint"}, "what the server says of itself has changed since"),
        ({"tool": "version"}, "the run before was made by another version of envassay"),
        ({"ladder": "version"}, "it holds no episode that this run asks for and may take"),
    ],
)
def test_what_was_played_otherwise_is_not_taken(
    tmp_path: Path, change: dict[str, str], why: str
) -> None:
    report, one = earlier(Guess, tmp_path / "first")
    ((part, name),) = change.items()
    old: Any = getattr(report, part)
    if isinstance(old, list):
        new: Any = [rung.model_copy(update={name: "0.9"}) for rung in old]
    else:
        new = old.model_copy(update={name: "other"})
    one = replace(one, report=report.model_copy(update={part: new}))
    _, reuse = later(Guess, tmp_path / "second", [one])
    assert (reuse.taken, reuse.why) == (0, why)


def test_a_run_without_an_earlier_one_says_so(tmp_path: Path) -> None:
    report, reuse = later(Guess, tmp_path, [])
    assert (reuse.run, reuse.taken) == ("", 0)
    assert reuse.why == "no finished run of this target was told the same"
    assert report.ledger.reused == 0


def test_nothing_is_taken_unless_that_is_asked_for(tmp_path: Path) -> None:
    assert judge(Guess, tmp_path, declared=HEALTHY).reuse is None


def test_episodes_that_were_cut_elsewhere_are_not_taken(tmp_path: Path) -> None:
    """An episode that was stopped after two steps says nothing of one that may go on to twelve."""
    _, one = earlier(Guess, tmp_path / "first", max_steps=2)
    later(Guess, tmp_path / "second", [one])
    taken = [row for row in rows(tmp_path / "second") if row.origin]
    assert all(row.ended == "done" for row in taken)


def test_every_start_and_every_probe_is_in_the_sample() -> None:
    keys = [
        EpisodeKey(task="-", seed=seed, probe=probe, repeat=repeat)
        for seed in range(20)
        for probe in ("a", "b", "c")
        for repeat in range(16)
    ]
    sample = sample_of(keys)
    assert {key.seed for key in sample} == set(range(20))
    assert {key.probe for key in sample} == {"a", "b", "c"}
    assert len(sample) == 96
    assert sample == sample_of(list(reversed(keys)))
    assert sample_of(keys[:5]) == set(keys[:5])


def test_what_asks_about_now_sees_only_now() -> None:
    known = set(Registry("check").names())
    assert known > TIMELESS
    levels = {name.partition(".")[0] for name in TIMELESS}
    assert levels.isdisjoint({"drift", "session", "hub"})
    for name in (
        "runtime.startup", "runtime.seed_control", "runtime.episode_determinism",
        "runtime.episode_isolation", "runtime.resource_bounds", "semantic.verifier_determinism",
        "semantic.replayability", "episode.observation_noise", "statistical.variance_bound",
        "wire.state_purity",
    ):  # fmt: skip
        assert name in known
        assert name not in TIMELESS


def test_reuse_on_one_session_or_many_is_the_same(tmp_path: Path) -> None:
    _, one = earlier(Guess, tmp_path / "first")
    found = []
    for sessions in (1, 8):
        folder = tmp_path / str(sessions)
        target = MemoryTarget(Guess, capacity=sessions)
        later(target, folder, [one], sessions=sessions, checks=CHECKS)
        found.append({row.key.path for row in rows(folder) if row.origin})
    assert found[0] == found[1]
