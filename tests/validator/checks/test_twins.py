"""Each check finds its fault, leaves its healthy twin alone, and believes a declaration."""

import itertools
import random
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from probes.panel.tamper import Tamper
from probes.reactive.reader import Reactive
from tests.validator.judging import answer, asked, decided, failed, judge
from tests.validator.memory import Guess, MemoryTarget, World
from tests.validator.probes import Dice, Steady
from validator.checks.hub.time_to_first_work import TimeToFirstWork

NEEDS_A_DECLARATION = {
    "semantic.oracle_max",
    "semantic.canary_floor",
    "semantic.no_solution_leakage",
    "reward.tamper",
    "runtime.oracle_containment",
    "episode.truncation_mark",
    "runtime.resource_bounds",
    "drift.memory",
    "static.manifest",
    "hub.cross_host_determinism",
    "hub.immutable_versioning",
    "runtime.task_declaration_accuracy",
    "static.timeout_ceiling",
    "static.task_distribution_pinning",
    "statistical.gameability_gap",
    "statistical.headroom",
}
"""What a bare world says too little for."""
HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}


class Unseeded(Guess):
    """Accepts a seed and ignores it."""

    dice = random.Random(5)

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset({"seed": self.dice.randrange(1000)})


class ZeroIsFalse(Guess):
    """Tests the seed for truth."""

    dice = random.Random(12)

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset({"seed": data["seed"] or self.dice.randrange(1000)})


class HalfSeeded(Guess):
    """Draws its task from the seed, and says something else every second time."""

    times: ClassVar[Counter[int]] = Counter()

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.times[data["seed"]] += 1
        found = super().reset(data)
        found["observation"] |= {"task": data["seed"], "odd": self.times[data["seed"]] % 2 == 1}
        return found


class Named(Guess):
    """Healthy; gives each episode an id and a time, which differ."""

    ticks = itertools.count(1_700_000_000)

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"] |= {"episode_id": str(uuid.uuid4()), "timestamp": next(self.ticks)}
        return found


class Leaky(Guess):
    """Counts its tries over all episodes of a session."""

    total = 0

    def step(self, action: Any) -> dict[str, Any]:
        self.total += 1
        found = super().step(action)
        found["observation"]["total"] = self.total
        return found


class LeftHalfWay(Guess):
    """Takes on a task that was left in the middle."""

    left = False

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset({"seed": data["seed"] + 1} if self.left else data)
        self.left = True
        return found

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        self.left = not found["done"]
        return found


class Curriculum(Leaky):
    """The same, and meant so."""


class Moody(Guess):
    """Pays the same trajectory differently."""

    dice = random.Random(7)

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["reward"] += self.dice.choice([0.0, 0.25])
        return found


class Generous(Guess):
    """Pays everyone."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"reward": 1.0, "done": True}


class Stingy(Guess):
    """Pays no one."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"reward": 0.0}


class OneTask(Guess):
    """Has one task under every seed."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset({"seed": 4})


class Endless(Guess):
    """Never says done."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"done": False}


class SometimesOver(Guess):
    """Ends at once on some seeds, whatever is done."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self._over = data["seed"] % 4 == 0
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | ({"done": True, "reward": 0.0} if self._over else {})


class SaysTrue(Guess):
    """Pays a boolean."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": found["reward"] > 0}


class PaysAtTheEnd(Guess):
    """Pays null until the end."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found if found["done"] else found | {"reward": None}


class NeverAsked(PaysAtTheEnd):
    """Pays when it is asked to grade, which nobody does."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"done": False, "reward": None}


class NullAtTheEnd(Guess):
    """Pays null at the end."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": None} if found["done"] else found


class NoReward(Guess):
    """Has no reward key."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        del found["reward"]
        return found


class NoReset(Guess):
    """Fails at every reset."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("the world is missing")


class NoStep(Guess):
    """Takes no action."""

    def step(self, action: Any) -> dict[str, Any]:
        raise ValueError("no such move")


FAULTS: list[tuple[type[World], dict[str, Any], set[str], set[str]]] = [
    (Guess, HEALTHY, set(), set()),
    (Named, HEALTHY, set(), set()),
    (Unseeded, HEALTHY, {"runtime.seed_control"}, {"runtime.episode_determinism"}),
    (ZeroIsFalse, HEALTHY, {"runtime.seed_control"}, {"runtime.episode_determinism"}),
    (Unseeded, HEALTHY | {"stochastic": True}, set(), set()),
    (Leaky, HEALTHY, set(), {"runtime.episode_isolation"}),
    (LeftHalfWay, HEALTHY, {"runtime.episode_isolation"}, set()),
    (LeftHalfWay, HEALTHY | {"carry_over": "curriculum"}, set(), set()),
    (Curriculum, HEALTHY | {"carry_over": "curriculum"}, set(), set()),
    (
        Generous,
        HEALTHY,
        {"semantic.floor_gap", "statistical.training_signal", "episode.after_done"},
        {"episode.start_variety"},
    ),
    (
        Generous,
        {},
        {"statistical.training_signal", "episode.after_done"},
        {"episode.start_variety"},
    ),
    (Stingy, HEALTHY, set(), set()),
    (OneTask, HEALTHY, set(), {"episode.start_variety"}),
    (OneTask, HEALTHY | {"tasks": {"count": 1}}, set(), set()),
    (OneTask, HEALTHY | {"tasks": {"count": 5}}, {"episode.start_variety"}, set()),
    (Endless, {}, set(), {"episode.termination"}),
    (Endless, {"horizon": 3}, {"episode.termination"}, set()),
    (Endless, {"horizon": "unbounded"}, set(), set()),
    (SometimesOver, HEALTHY, {"episode.termination"}, set()),
    (SaysTrue, HEALTHY, {"runtime.reward_well_formed"}, set()),
    (PaysAtTheEnd, HEALTHY, set(), {"runtime.reward_well_formed"}),
    (PaysAtTheEnd, HEALTHY | {"reward_timing": "terminal"}, set(), set()),
    (
        NeverAsked,
        {"horizon": "unbounded"},
        set(),
        {"runtime.reward_well_formed", "episode.start_variety"},
    ),
    (NullAtTheEnd, HEALTHY, {"runtime.reward_well_formed"}, set()),
    (
        NoReward,
        HEALTHY,
        {"runtime.reward_well_formed", "runtime.observation_schema"},
        set(),
    ),
    (NoReset, HEALTHY, {"runtime.startup"}, set()),
    (NoStep, HEALTHY, {"runtime.startup"}, set()),
]


@pytest.mark.parametrize(
    ("world", "declared", "faults", "questions"),
    FAULTS,
    ids=[f"{case[0].__name__}-{number}" for number, case in enumerate(FAULTS)],
)
def test_exactly_the_fault_that_is_there_is_found(
    tmp_path: Path,
    world: Callable[[], World],
    declared: dict[str, Any],
    faults: set[str],
    questions: set[str],
) -> None:
    report = judge(world, tmp_path, declared=declared)
    assert failed(report) == faults
    assert asked(report) == questions
    assert not [r for r in report.results if r.status == "error"]
    for result in report.results:
        assert (result.status == "fail") == bool(result.findings), result
        assert result.reason
        assert bool(result.needed) == (result.status == "skip"), result


def test_a_healthy_environment_passes_every_check(tmp_path: Path) -> None:
    probes = (Steady(), Dice(), Reactive(), Tamper())
    report = judge(Guess, tmp_path, declared=HEALTHY, probes=probes)
    assert {r.id: r.reason for r in report.results if r.status not in ("pass", "skip")} == {}
    advice = {"statistical.difficulty_separation"}  # a run does not go on for it
    skipped = {r.id for r in report.results if r.status == "skip"}
    assert skipped <= NEEDS_A_DECLARATION | advice
    assert report.verdict.status == "pass"
    assert report.headline["signal"].estimate == pytest.approx(0.9, abs=0.1)
    assert report.headline["ceiling"].estimate == 1.0
    assert report.headline["determinism"].estimate == 1.0
    random_rung = next(rung for rung in report.ladder if rung.probe == "random")
    assert random_rung.mean_score.estimate == pytest.approx(1 - (2 / 3) ** 3, abs=0.15)
    assert (random_rung.mean_score.n, random_rung.mean_score.of) == (8, "starts")


def test_a_seed_that_governs_a_part_of_each_episode_is_told_from_one_ignored(
    tmp_path: Path,
) -> None:
    found = decided("runtime.seed_control", HalfSeeded, tmp_path, declared=HEALTHY)
    assert found.reason == (
        "the seed does not govern the whole episode: 4 of 4 seeds did not repeat"
    )


def test_a_reward_that_differs_on_one_trajectory_is_the_verifier_s(tmp_path: Path) -> None:
    report = judge(Moody, tmp_path, declared=HEALTHY | {"stochastic": False})
    assert failed(report) == {
        "semantic.verifier_determinism",
        "runtime.episode_determinism",
        "runtime.seed_control",
        "runtime.reward_well_formed",
        "episode.after_done",
    }
    assert "a score of 1.25" in answer(report, "runtime.reward_well_formed").reason
    finding = answer(report, "semantic.verifier_determinism").findings[0]
    assert "reward" in finding.claim


def test_one_session_at_a_time_is_a_question_until_more_are_promised(tmp_path: Path) -> None:
    bare = {"score_range": [0.0, 1.0], "horizon": 3}
    report = judge(MemoryTarget(Guess, capacity=1), tmp_path / "a", declared=bare)
    assert asked(report) == {"session.capacity"}
    promised = bare | {"concurrency": 4}
    report = judge(MemoryTarget(Guess, capacity=2), tmp_path / "b", declared=promised)
    assert failed(report) == {"session.capacity"}
    report = judge(
        MemoryTarget(Guess, capacity=1), tmp_path / "c", declared=bare | {"concurrency": 1}
    )
    assert answer(report, "session.capacity").status == "pass"


@pytest.mark.parametrize(("slow", "status"), [(60.0, "pass"), (0.0, "fail")])
def test_a_slow_first_step_is_told(tmp_path: Path, slow: float, status: str) -> None:
    """hub.time_to_first_work: everything is slow where nothing may take any time."""
    report = judge(Guess, tmp_path, checks=(TimeToFirstWork(slow),))
    assert answer(report, "hub.time_to_first_work").status == status


def test_a_server_that_dies_does_not_pass(tmp_path: Path) -> None:
    report = judge(MemoryTarget(Guess, die_after=150), tmp_path, declared=HEALTHY)
    assert report.ledger.stopped
    assert "runtime.startup" in failed(report)
    (finding,) = answer(report, "runtime.startup").findings
    assert finding.saw == report.ledger.stopped
    assert '{"type": "reset"' in finding.reproduce
    assert report.verdict.status == "fail"


class Mute(Steady):
    """Another probe that always says the same."""

    name, rung = "mute", "blind"


def test_probes_that_say_the_same_do_not_prove_that_nothing_matters(tmp_path: Path) -> None:
    report = judge(Generous, tmp_path, declared=HEALTHY, probes=(Steady(), Mute()))
    assert answer(report, "statistical.training_signal").status == "skip"


def test_all_at_the_bottom_is_not_decided_by_weak_probes(tmp_path: Path) -> None:
    report = judge(Stingy, tmp_path, declared=HEALTHY)
    assert answer(report, "statistical.training_signal").status == "skip"
    assert answer(report, "statistical.reward_reachability").status == "skip"
    assert "%" in answer(report, "statistical.reward_reachability").reason
    assert report.verdict.status == "warn"


def test_equal_runs_give_equal_reports(tmp_path: Path) -> None:
    one, other = (judge(Guess, tmp_path / name, declared=HEALTHY) for name in ("a", "b"))
    drop = {"times", "run"}
    assert one.model_dump(exclude=drop) == other.model_dump(exclude=drop)
