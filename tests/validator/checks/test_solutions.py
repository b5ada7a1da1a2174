"""The author's solutions and hacks: what they earn, and what their variants earn."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer
from tests.validator.memory import World
from tests.validator.quiz import SOLVER, TOWNS, Quiz, ask
from validator.rollouts.store import read_episodes

ORACLE = {"oracle": {"policy": "solver.py:solve"}}


class Literal(Quiz):
    """Compares some answers with a reference of two alternatives."""

    def grade(self, answer: str) -> float | None:
        right = f"{self.right} |OR| {self.right} City" if len(self.right) > 6 else self.right
        return float(answer.strip() == right)


class Strict(Quiz):
    """Does not strip."""

    def grade(self, answer: str) -> float | None:
        return float(answer == self.right)


class Lenient(Quiz):
    """Healthy: takes a sentence, and one answer only."""

    def grade(self, answer: str) -> float | None:
        named = [town for town in TOWNS if town.lower() in answer.lower()]
        return float(named == [self.right])


class Unpaid(Quiz):
    """Loses the reward of some right answers."""

    def grade(self, answer: str) -> float | None:
        return None if answer.strip() == self.right else 0.0


@pytest.mark.parametrize(
    ("world", "status", "question"),
    [
        (Quiz, "pass", False),
        (Lenient, "pass", False),
        (Literal, "fail", False),
        (Unpaid, "fail", False),
        (Strict, "fail", True),
    ],
)
def test_a_solution_earns_the_top(
    tmp_path: Path, world: type[World], status: str, question: bool
) -> None:
    found = answer(ask(world, tmp_path, declared=ORACLE), "semantic.oracle_max")
    assert (found.status, found.question) == (status, question), found.reason
    if world is Literal:
        long = sum(len(TOWNS[seed % 8]) > 6 for seed in seeds_of(found.reason, tmp_path))
        assert found.reason == f"{long} of 8 declared solutions earn less than 1"
    if world is Lenient:
        assert found.measured["padded_reaches_top"].estimate == 1.0


def test_a_field_of_a_form_needs_no_space_about_it(tmp_path: Path) -> None:
    solver = SOLVER.replace('{"answer": ', '{"lang": "en", "answer": ')
    report = ask(Strict, tmp_path, declared=ORACLE, files={"solver.py": solver})
    found = answer(report, "semantic.oracle_max")
    assert found.status == "pass", found.reason
    assert found.measured["spaced_reaches_top"].estimate == 0.0


def seeds_of(reason: str, folder: Path) -> list[int]:
    """Return the seeds of the solutions that were walked."""
    keys = [one.key for one in read_episodes(folder / "run" / "episodes") if not one.key.replay]
    walked = [key for key in keys if key.walk.startswith("oracle/") and "~" not in key.walk]
    return [key.seed for key in walked if key.seed is not None]


def test_without_a_solution_it_is_not_decided(tmp_path: Path) -> None:
    found = answer(ask(Quiz, tmp_path), "semantic.oracle_max")
    assert found.status == "skip"
    assert "solver.py:solve" in found.needed


def test_a_solver_that_breaks_is_said_and_held_against_no_one(tmp_path: Path) -> None:
    broken = {"solver.py": "def solve(a, b, c):\n    return a['nothing']\n"}
    found = answer(ask(Quiz, tmp_path, declared=ORACLE, files=broken), "semantic.oracle_max")
    assert found.status == "skip"
    assert "solve raised KeyError: 'nothing' at step 0" in found.reason


def test_a_list_of_actions_is_walked_as_well(tmp_path: Path) -> None:
    lines = [
        {"reset": {"seed": seed}, "actions": [{"answer": TOWNS[seed % 8]}]} for seed in range(4)
    ]
    wrong: dict[str, Any] = {"reset": {"seed": 4}, "actions": [{"answer": "Rome"}]}
    files = {"oracle.jsonl": "\n".join(json.dumps(line) for line in [*lines, wrong])}
    declared = {"oracle": {"trajectories": "oracle.jsonl"}}
    found = answer(ask(Quiz, tmp_path, declared=declared, files=files), "semantic.oracle_max")
    assert found.reason == "1 of 5 declared solutions earn less than 1"
    assert "seed-4" in found.findings[0].where


class Substring(Quiz):
    """Looks for the answer anywhere in the text."""

    def grade(self, answer: str) -> float | None:
        return float(self.right.lower() in answer.lower())


class TakesAnyTown(Quiz):
    """Healthy: any town of a list will do."""

    def grade(self, answer: str) -> float | None:
        return float(any(town in answer for town in TOWNS))


class MagicWord(Quiz):
    """Pays for one word."""

    def grade(self, answer: str) -> float | None:
        return 1.0 if "certainly" in answer else super().grade(answer)


HACKS = "\n".join(
    json.dumps({"reset": {"seed": seed}, "actions": [{"answer": "certainly"}]}) for seed in (1, 2)
)


@pytest.mark.parametrize(
    ("world", "declared", "status"),
    [
        (Quiz, ORACLE, "pass"),
        (Lenient, ORACLE, "pass"),
        (TakesAnyTown, ORACLE, "pass"),
        (Substring, ORACLE, "fail"),
        (Quiz, {"canaries": "hacks.jsonl"}, "pass"),
        (MagicWord, {"canaries": "hacks.jsonl"}, "fail"),
        (Quiz, {}, "skip"),
    ],
)
def test_a_hack_earns_no_more_than_the_floor(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str
) -> None:
    report = ask(world, tmp_path, declared=declared, files={"hacks.jsonl": HACKS})
    found = answer(report, "semantic.canary_floor")
    assert found.status == status, found.reason
    assert not found.question
    if world is Substring:
        assert found.measured["lists_paid"].estimate == 1.0
    if world is MagicWord:
        assert found.reason == "2 of 2 declared hacks beat the floor"


class Vacuous(Quiz):
    """Two of eight questions take any answer."""

    vacuous = (2, 5)

    def grade(self, answer: str) -> float | None:
        return 1.0 if self.number in self.vacuous else super().grade(answer)


class MostlyVacuous(Vacuous):
    """Most questions take any answer: no hidden minority."""

    vacuous = (0, 1, 2, 3, 4, 5)


class Slope(Quiz):
    """Healthy: some questions take several answers, one takes any, as a range of tasks does."""

    def grade(self, answer: str) -> float | None:
        if self.number in (2, 3):
            return 1.0 if self.number == 2 else float(len(answer) % 4 != 0 or answer == self.right)
        return super().grade(answer)


def by_number(world: type[Quiz]) -> type[Quiz]:
    """Return the world with its question chosen by number, not by seed."""

    class ByNumber(world):  # type: ignore[misc, valid-type]
        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            found: dict[str, Any] = super().reset({"seed": data.get("number", 0)})
            return found

    return ByNumber


NUMBERED: dict[str, Any] = {"tasks": {"select": {"number": "{task}"}, "count": 8}}


@pytest.mark.parametrize(
    ("world", "declared", "status", "told"),
    [
        (Quiz, NUMBERED | ORACLE, "pass", "no minority of 8 starts"),
        (Vacuous, NUMBERED, "fail", "2 starts pay a success whatever is done, unlike most"),
        (
            Vacuous,
            {"tasks": NUMBERED["tasks"] | {"refuse": [2, 5]}},
            "pass",
            "no minority of 6 starts",
        ),
        (Literal, NUMBERED | ORACLE, "pass", "no minority"),
        (MostlyVacuous, NUMBERED, "pass", "no minority"),
        (Slope, NUMBERED, "pass", "no minority"),
    ],
)
def test_no_task_is_paid_otherwise_than_the_rest(
    tmp_path: Path, world: type[Quiz], declared: dict[str, Any], status: str, told: str
) -> None:
    report = ask(by_number(world), tmp_path, declared=declared, group_size=16)
    found = answer(report, "reward.per_task")
    assert (found.status, found.question) == (status, False), found.reason
    assert told in found.reason


class Remembers(Quiz):
    """Refuses a town that was right earlier in the session: no blind probe ever says one."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def grade(self, answer: str) -> float | None:
        fresh = len(self.said) == 0
        self.said += [answer] if answer in TOWNS else []
        return float(answer.strip() == self.right and fresh)


def test_what_only_a_solution_leaves_behind_is_found(tmp_path: Path) -> None:
    report = ask(Remembers, tmp_path, declared=ORACLE)
    found = answer(report, "runtime.episode_isolation")
    assert found.status == "fail"
    assert "trajectory/oracle" in found.findings[0].where
    assert answer(ask(Quiz, tmp_path / "b", declared=ORACLE), found.id).status == "pass"


class Marathon(Quiz):
    """Healthy: each of three steps costs one, so that all cost three."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        self.taken = 0
        return super().reset(data)

    def step(self, action: Any) -> dict[str, Any]:
        self.taken += 1
        return super().step(action) | {"reward": -1.0, "done": self.taken == 3}


def test_a_walk_that_is_left_before_the_end_has_no_whole_score(tmp_path: Path) -> None:
    actions = [{"answer": "yes"}, {"answer": "no"}]
    line = json.dumps({"reset": {"seed": 1}, "actions": actions})
    report = ask(
        Marathon,
        tmp_path,
        declared={
            "oracle": {"trajectories": "oracle.jsonl"},
            "score_range": [-4.0, -3.0],
            "reward_timing": "step",
            "horizon": 3,
        },
        files={"oracle.jsonl": line},
    )
    assert answer(report, "runtime.reward_well_formed").status == "pass"
