"""The checks of the ladder: they see an order, name an inversion, and leave toys alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.base import Json, Lane, Rung, Seen
from probes.campaign import Result, Terms
from probes.learner.learner import Learner
from probes.search.search import Search
from reports.words import climbing
from tests.validator.judging import answer, decided, judge
from tests.validator.memory import Guess, observation
from tests.validator.probes import Dice, Steady
from validator.plugins import Registry
from validator.recording import EPISODES
from validator.rollouts.budget import PRESETS
from validator.table import EpisodeTable

SEPARATION = "statistical.difficulty_separation"
HEADROOM = "statistical.headroom"
REACHABILITY = "statistical.reward_reachability"
HEALTHY = {"score_range": [0.0, 1.0], "horizon": 3, "concurrency": 8}
LADDER = (Steady(), Dice(), Search(), Learner())


class Contrary:
    """Stands for a small model: reads the right move, and plays another one."""

    name = "contrary"
    version = "1"
    rung: Rung = "model"
    off = 1

    def begin(self, lane: Lane, rng: Any) -> "Contrary":
        return self

    def act(self, seen: Seen) -> Json:
        assert isinstance(seen.observation, dict)
        secret = seen.observation["secret"]
        assert isinstance(secret, int)
        return {"move": (secret + self.off) % 3}


class Knowing(Contrary):
    """Stands for a strong model."""

    name = "knowing"
    off = 0


class Open(Guess):
    """Shows the move."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["secret"] = self._secret
        return found

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["secret"] = self._secret
        return found


class Flat(Guess):
    """Pays nothing at all."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"reward": 0.0}


class Stairs:
    """Eight right moves in a row win; a wrong one ends the climb."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        seed = data.get("seed", 0)
        self._way = [(seed + step * step) % 3 for step in range(8)]
        self._at = 0
        return observation({"stair": 0, "of": seed}, reward=0.0)

    def step(self, action: Any) -> dict[str, Any]:
        right = action["move"] == self._way[self._at]
        self._at += right
        won = self._at == len(self._way)
        seen = {"stair": self._at, "of": len(self._way)}
        return observation(seen, reward=float(won), done=won or not right)


def test_what_only_a_search_reaches_is_reached(tmp_path: Path) -> None:
    declared = {"score_range": [0.0, 1.0], "horizon": 8}
    checks = tuple(Registry("check").get(name).make() for name in (REACHABILITY, HEADROOM))
    report = judge(Stairs, tmp_path, declared=declared, probes=LADDER, checks=checks)
    found = answer(report, REACHABILITY)
    assert found.status == "pass", found
    assert "ways that a search found do, for one -/seed-" in found.reason
    alone = judge(Stairs, tmp_path / "b", declared=declared, checks=checks)
    assert answer(alone, REACHABILITY).status == "skip"


def test_a_ladder_that_rises_passes_and_says_how_surely(tmp_path: Path) -> None:
    found = decided(SEPARATION, Guess, tmp_path, declared=HEALTHY, probes=LADDER, fixed=True)
    assert found.status == "pass", found
    assert "null" in found.reason
    assert "search 1" in found.reason
    ahead = found.measured["blind_over_null"]
    assert (ahead.n, ahead.of) == (8, "starts")
    assert ahead.low is not None
    assert ahead.low > 0.5


def test_what_the_clock_cut_short_is_marked_wherever_it_counts(tmp_path: Path) -> None:
    quick = PRESETS["quick"]
    hasty = replace(quick, learner=replace(quick.learner, seconds=-1.0))
    checks = tuple(Registry("check").get(name).make() for name in (SEPARATION, HEADROOM))
    report = judge(Guess, tmp_path, declared=HEALTHY, probes=LADDER, checks=checks, budget=hasty)
    cut = {rung.probe: rung.cut for rung in report.ladder}
    lost = quick.learner.episodes + quick.learner.new
    assert cut == {"noop": 0, "random": 0, "search": 0, "learner": lost}
    for name in (SEPARATION, HEADROOM):
        assert "the clock cut learner short" in answer(report, name).reason
    (told,) = [line for line in climbing(report) if "clock" in line]
    assert told.startswith(f"learner: the clock cut it short, {lost} episodes were left")
    whole = judge(Guess, tmp_path / "b", declared=HEALTHY, probes=LADDER, checks=checks)
    assert not any(rung.cut for rung in whole.ladder)
    assert "clock" not in answer(whole, SEPARATION).reason + " ".join(climbing(whole))


@pytest.mark.parametrize(
    ("tasks", "starts"),
    [(None, 100), ({"select": {"task": "{task}"}, "count": 5}, 5)],
    ids=["seeds", "five tasks"],
)
def test_one_learner_has_a_new_start_each_time_as_far_as_there_are_tasks(
    tmp_path: Path, tasks: Any, starts: int
) -> None:
    """The training value is taken from it, and from declared solutions where there are any."""
    declared = HEALTHY if tasks is None else HEALTHY | {"tasks": tasks}
    checks = (Registry("check").get(HEADROOM).make(),)
    report = judge(Open, tmp_path, declared=declared, probes=(Dice(), Learner()), checks=checks)
    table = EpisodeTable.of(tmp_path / "run" / EPISODES)
    rows = [row for row in table.campaigns if row.key.campaign == "new"]
    assert len(rows) == 100
    assert len({(row.key.task, row.key.seed) for row in rows}) == starts
    value = report.headline["training_value"]
    assert value.n == 100
    assert value.method.endswith("; nothing declared")
    assert value.low is not None
    assert value.low > 0.1, "the move is shown, and the learner finds that out"


def test_two_rungs_are_no_ladder(tmp_path: Path) -> None:
    found = decided(SEPARATION, Guess, tmp_path, declared=HEALTHY)
    assert found.status == "skip"
    assert "--probes" in found.needed
    assert "2 rungs were scored (null, blind)" in found.reason


def test_a_model_that_falls_behind_random_is_named_as_a_question(tmp_path: Path) -> None:
    probes = (*LADDER, Contrary())
    found = decided(SEPARATION, Open, tmp_path, declared=HEALTHY, probes=probes, fixed=True)
    assert (found.status, found.question) == ("fail", True), found
    assert "contrary earns less than blind" in found.reason
    assert "/contrary/" in found.findings[0].where


def test_each_model_is_compared_by_itself(tmp_path: Path) -> None:
    """Together they would hide that one of them is below the floor."""
    probes = (*LADDER, Contrary(), Knowing())
    found = decided(SEPARATION, Open, tmp_path, declared=HEALTHY, probes=probes, fixed=True)
    assert (found.status, found.question) == ("fail", True), found
    assert "contrary earns less than blind" in found.reason
    assert "knowing earns less" not in found.reason
    assert found.measured["knowing_over_contrary"].estimate == 1.0


class Backwards:
    """Wins as long as it learns, and never afterwards."""

    name = "backwards"
    version = "1"
    rung: Rung = "learner"

    def begin(self, lane: Lane, rng: Any) -> Contrary:
        return Contrary()

    def campaign(self, lane: Lane, rng: Any, terms: Terms) -> "Forgetting":
        return Forgetting()


class Forgetting:
    """The campaign."""

    finished = False

    def begin(self, start: str, *, learning: bool) -> Contrary:
        return Knowing() if learning else Contrary()

    def ended(self, result: Result) -> None:
        """Learn nothing from it."""


def of_rung(rung: Rung) -> Contrary:
    """Return a probe of a rung that surely loses."""
    probe = Contrary()
    probe.rung, probe.name = rung, f"lost_{rung}"
    return probe


@pytest.mark.parametrize("rung", ["learner", "model", "harness", "search"])
def test_every_rung_that_decides_is_named_where_it_is_behind(rung: Rung, tmp_path: Path) -> None:
    probes = (Steady(), Dice(), of_rung(rung))
    found = decided(SEPARATION, Open, tmp_path, declared=HEALTHY, probes=probes, fixed=True)
    assert (found.status, found.question) == ("fail", True), found
    called = f"lost_{rung}" if rung in ("model", "harness") else rung
    assert f"{called} earns less than blind" in found.reason
    assert f"/lost_{rung}/" in found.findings[0].where
    ahead = found.measured[f"{called}_over_blind"]
    assert ahead.high is not None
    assert ahead.high < 0.5


def test_a_fixed_rule_that_is_behind_is_no_failure(tmp_path: Path) -> None:
    probes = (*LADDER, of_rung("reactive"))
    found = decided(SEPARATION, Open, tmp_path, declared=HEALTHY, probes=probes, fixed=True)
    assert "reactive 0" in found.reason
    ahead = found.measured["reactive_over_blind"]
    assert ahead.high is not None
    assert ahead.high < 0.5
    assert (found.status in ("pass", "skip"), found.question) == (True, False)


def test_a_learner_is_judged_by_what_it_plays_where_it_never_learned(tmp_path: Path) -> None:
    """In training it wins always, and that does not hide what it does in the end."""
    wide = replace(PRESETS["quick"], starts=24)
    wide = replace(wide, learner=replace(wide.learner, held_out=8))
    report = judge(
        Open,
        tmp_path,
        declared=HEALTHY,
        probes=(Steady(), Dice(), Backwards()),
        checks=(Registry("check").get(SEPARATION).make(),),
        budget=wide,
        fixed=True,
    )
    (rung,) = [rung for rung in report.ladder if rung.probe == "backwards"]
    assert rung.learning is not None
    assert {score for _, score in rung.learning.curve} == {1.0}
    assert rung.mean_score.estimate == 0.0
    found = answer(report, SEPARATION)
    assert (found.status, found.question) == ("fail", True), found
    assert "learner earns less than blind" in found.reason


def test_a_harness_is_held_against_a_model_and_a_search_against_both(tmp_path: Path) -> None:
    strong, harness, search = Knowing(), of_rung("harness"), of_rung("search")
    probes = (Steady(), Dice(), strong, harness, search)
    found = decided(SEPARATION, Open, tmp_path, declared=HEALTHY, probes=probes, fixed=True)
    for behind in ("lost_harness earns less than knowing", "search earns less than knowing"):
        assert behind in found.reason
    assert "search earns less than lost_harness" not in found.reason


def test_nothing_to_earn_is_not_decided(tmp_path: Path) -> None:
    for name in (SEPARATION, HEADROOM):
        found = decided(name, Flat, tmp_path / name, declared=HEALTHY, probes=LADDER)
        assert found.status == "skip", found
        assert found.needed


def test_what_a_small_learner_masters_is_no_failure(tmp_path: Path) -> None:
    found = decided(HEADROOM, Guess, tmp_path, declared=HEALTHY, probes=LADDER)
    assert found.status == "pass", found
    left = found.measured["headroom"].estimate
    assert left is not None
    assert 0.0 <= left < 1.0
    assert found.measured["ceiling"].estimate == 1.0


def test_a_model_that_has_it_all_leaves_no_headroom(tmp_path: Path) -> None:
    probes = (Steady(), Dice(), Knowing())
    wide = replace(PRESETS["quick"], starts=20)
    told = {"declared": HEALTHY, "budget": wide, "fixed": True}
    found = decided(HEADROOM, Open, tmp_path, probes=probes, **told)
    assert (found.status, found.question) == ("fail", False), found
    assert "saturated" in found.reason


def test_the_ceiling_is_what_a_search_found_where_nothing_is_declared(tmp_path: Path) -> None:
    found = decided(HEADROOM, Guess, tmp_path, declared={"horizon": 3}, probes=LADDER)
    assert "the best seen" in found.reason
    assert found.measured["ceiling"].estimate == 1.0
