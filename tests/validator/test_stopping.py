"""A run stops where all is settled, and judges as one of a fixed size does."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metrics.proportions import proportion
from reports.model import Report
from tests.validator.judging import answer, judge
from tests.validator.memory import Guess
from validator.checks.base import CheckResult, passed, skipped, undecided
from validator.checks.runtime.episode_determinism import EpisodeDeterminism
from validator.checks.semantic.verifier_determinism import VerifierDeterminism
from validator.checks.statistical.training_signal import TrainingSignal
from validator.evidence import Evidence
from validator.rollouts.budget import PRESETS
from validator.rollouts.needs import Need, Scale
from validator.stopping import settled
from validator.table import EpisodeTable

HEALTHY: dict[str, Any] = {"score_range": [0.0, 1.0], "stochastic": False}
STANDARD = PRESETS["standard"]


def statuses(report: Report) -> dict[str, str]:
    return {result.id: result.status for result in report.results}


def test_a_run_stops_early_and_answers_as_one_of_a_fixed_size(tmp_path: Path) -> None:
    told: dict[str, Any] = {"declared": HEALTHY, "budget": STANDARD}
    early = judge(Guess, tmp_path / "early", **told)
    fixed = judge(Guess, tmp_path / "fixed", fixed=True, **told)
    assert early.costs.episodes < 0.6 * fixed.costs.episodes
    assert early.verdict.status == fixed.verdict.status
    blocking = {r.id for r in fixed.results if r.severity != "advisory"}
    before, after = statuses(fixed), statuses(early)
    assert {name for name in blocking if before[name] != after[name]} == set()
    assert early.spending is not None
    assert (early.spending.why, early.spending.looks) == ("decided", 4)
    assert sum(early.spending.episodes) == early.costs.episodes
    assert fixed.spending is not None
    assert (fixed.spending.why, fixed.spending.looks) == ("played", 1)


def test_what_is_played_does_not_depend_on_the_sessions(tmp_path: Path) -> None:
    played = []
    for sessions in (1, 8):
        folder = tmp_path / str(sessions)
        judge(Guess, folder, declared=HEALTHY, sessions=sessions)
        table = EpisodeTable.of(folder / "run" / "episodes")
        played.append([row.key.path for row in table.everything])
    assert played[0] == played[1]


class Never(Guess):
    """Pays nothing, whatever is done: as a task does that is hard."""

    def step(self, action: Any) -> dict[str, Any]:
        return super().step(action) | {"reward": 0.0}


def test_what_is_not_seen_in_many_tries_ends_the_search_undecided(tmp_path: Path) -> None:
    report = judge(Never, tmp_path, declared=HEALTHY, budget=STANDARD)
    assert report.spending is not None
    assert answer(report, "statistical.training_signal").status == "skip"
    assert report.spending.checks["statistical.training_signal"].why == "undecidable"
    assert len(report.spending.episodes) < report.spending.looks


def test_a_run_that_goes_on_stops_at_the_same_look(tmp_path: Path) -> None:
    """Though later looks are in its folder already."""
    told: dict[str, Any] = {"declared": HEALTHY, "budget": STANDARD}
    whole, again = (judge(Never, tmp_path, **told) for _ in range(2))
    assert whole.spending is not None
    assert again.spending is not None
    assert len(whole.spending.episodes) > 1
    assert again.spending.episodes == whole.spending.episodes
    assert again.ledger == whole.ledger


def test_a_small_budget_is_what_ends_a_run(tmp_path: Path) -> None:
    few = replace(PRESETS["quick"], episodes=20)
    report = judge(Guess, tmp_path, declared=HEALTHY, budget=few)
    assert report.costs.episodes <= 20
    assert report.spending is not None
    assert report.spending.why == "budget"


class Silent:
    """Says nothing of when it has seen enough."""

    id = "tests.silent"
    title = "Is anything wrong?"

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="null", starts=scale.starts),)

    def decide(self, evidence: Evidence) -> CheckResult:
        return passed(self, "nothing is")


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    judge(Guess, tmp_path, declared=HEALTHY)
    report = Evidence.__new__(Evidence)
    report.table = EpisodeTable.of(tmp_path / "run" / "episodes")
    report.rungs = {"steady": "null"}
    return report


def test_an_answer_is_settled_by_what_its_check_must_decide(evidence: Evidence) -> None:
    replays, signal = EpisodeDeterminism(), TrainingSignal()
    few = passed(replays, "", measured={"replay_agreement": (proportion(22, 22), "replays")})
    enough = passed(replays, "", measured={"replay_agreement": (proportion(23, 23), "replays")})
    assert settled(replays, few, evidence) == ""
    assert settled(replays, enough, evidence) == "decided"
    assert settled(replays, skipped(replays, "", needed=""), evidence) == "undecidable"
    assert settled(signal, passed(signal, ""), evidence) == "decided"
    assert settled(signal, undecided(signal, "", needed=""), evidence) == ""
    assert settled(Silent(), passed(Silent(), ""), evidence) == ""


def test_replays_of_anything_else_do_not_stand_for_those_of_solutions(evidence: Evidence) -> None:
    check, all_of = VerifierDeterminism(), proportion(30, 30)
    few = {"reward_agreement": (all_of, "replays"), "solution_agreement": (proportion(8, 8), "")}
    enough = {
        "reward_agreement": (all_of, "replays"),
        "solution_agreement": (proportion(23, 23), ""),
    }
    unsolved = {"reward_agreement": (all_of, "replays")}
    assert settled(check, passed(check, "", measured=few), evidence) == ""
    assert settled(check, passed(check, "", measured=enough), evidence) == "decided"
    assert settled(check, passed(check, "", measured=unsolved), evidence) == "decided"
