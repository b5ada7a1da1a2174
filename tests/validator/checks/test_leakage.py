"""Answers that are shown, hidden, disguised, or there by chance."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.validator.judging import answer
from tests.validator.memory import World
from tests.validator.quiz import TOWNS, Quiz, ask
from validator.errors import SettingsError
from validator.leaks import found_in

ORACLE = {"oracle": {"policy": "solver.py:solve"}}
ANSWERS = {"answers": "answers.jsonl"}
FILES = {
    "answers.jsonl": "\n".join(
        json.dumps({"reset": {"seed": seed}, "answer": town}) for seed, town in enumerate(TOWNS)
    )
}


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("The town is vienna.", ("plain",)),
        ("Viennas", ()),
        ("a%20%56ienna", ("url",)),
        (base64.b64encode(b"the answer is Vienna").decode(), ("base64",)),
        (base64.urlsafe_b64encode(b"Vienna").decode().rstrip("="), ("base64",)),
        (b"Vienna".hex(), ("hex",)),
        ("56 69 65 6e 6e 61", ("hex",)),
        ("anneiv", ("reversed",)),
        ("Ivraan", ("rot13",)),
        ("v-i-e-n-n-a", ("split",)),
        ("v\ni\ne\nn\nn\na", ("split",)),
        ("nothing of it", ()),
        ("", ()),
    ],
)
def test_an_answer_is_found_in_its_disguises(text: str, forms: tuple[str, ...]) -> None:
    assert found_in("Vienna", text) == forms


@pytest.mark.parametrize(
    ("wanted", "text", "there"),
    [("0.5", "it is 0.5.", True), ("0.5", "0.57", False), ("3", "3.5", False), ("3", "3/8", False)],
)
def test_a_number_is_no_part_of_another(wanted: str, text: str, there: bool) -> None:
    assert bool(found_in(wanted, text)) == there


class InMetadata(Quiz):
    """Shows the answer in base64, under a harmless name."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["metadata"] = {"trace": base64.b64encode(self.right.encode()).decode()}
        return found


class InPrompt(Quiz):
    """Has a passage that holds the answer."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["passage"] = f"They moved to {self.right} in spring."
        return found


class AfterTheEnd(Quiz):
    """Healthy: tells the answer when it is over."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["answer"] = self.right
        return found


class InErrors(Quiz):
    """Names the answer where it refuses one that is too short."""

    def step(self, action: Any) -> dict[str, Any]:
        if len(action["answer"]) < 3:
            raise ValueError(f"expected something like {self.right}")
        return super().step(action)


class AllOptions(Quiz):
    """Healthy: lists all towns on every start."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        found = super().reset(data)
        found["observation"]["options"] = list(TOWNS)
        return found


class Operator(Quiz):
    """Healthy: the state route shows the answer, and nothing else does."""

    def state(self) -> dict[str, Any]:
        return {"secret": self.right}


@pytest.mark.parametrize(
    ("world", "declared", "status", "question"),
    [
        (Quiz, ANSWERS, "pass", False),
        (Quiz, ORACLE, "pass", False),
        (Quiz, {}, "skip", False),
        (InMetadata, ANSWERS, "fail", False),
        (InMetadata, ORACLE, "fail", False),
        (InPrompt, ANSWERS, "fail", False),
        (InPrompt, ORACLE, "fail", True),
        (InPrompt, ORACLE | {"answer_in_observation": False}, "fail", False),
        (InPrompt, ANSWERS | {"answer_in_observation": True}, "pass", False),
        (AfterTheEnd, {}, "pass", False),
        (AfterTheEnd, ANSWERS, "pass", False),
        (InErrors, ANSWERS, "fail", False),
        (AllOptions, ANSWERS, "pass", False),
        (Operator, ANSWERS, "pass", False),
    ],
)
def test_the_answer_is_kept_until_the_end(
    tmp_path: Path, world: type[World], declared: dict[str, Any], status: str, question: bool
) -> None:
    report = ask(world, tmp_path, declared=declared, files=FILES)
    found = answer(report, "semantic.no_solution_leakage")
    assert (found.status, found.question) == (status, question), found.reason
    if world is InMetadata:
        assert "in base64 form" in found.findings[0].saw
        assert found.measured["shown_oddly"].estimate == 1.0
        assert found.measured["chance_oddly"].estimate == 0.0
    if world is AllOptions:
        assert found.measured["chance_plainly"].estimate == 1.0
    if world is Operator:
        assert "the state route shows" in found.reason


def test_short_answers_are_found_by_chance_and_raise_no_alarm(tmp_path: Path) -> None:
    class YesOrNo(Quiz):
        def reset(self, data: dict[str, Any]) -> dict[str, Any]:
            found = super().reset(data)
            self.right = ("yes", "no")[self.number % 2]
            found["observation"]["question"] += "? Say yes or no."
            return found

    lines = [{"reset": {"seed": n}, "answer": ("yes", "no")[n % 8 % 2]} for n in range(16)]
    files = {"answers.jsonl": "\n".join(json.dumps(line) for line in lines)}
    report = ask(YesOrNo, tmp_path, declared=ANSWERS, files=files)
    found = answer(report, "semantic.no_solution_leakage")
    assert found.status == "pass"
    assert "no more often than by chance" in found.reason


def test_a_broken_answers_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="line 2 is no answer"):
        ask(
            Quiz,
            tmp_path,
            declared=ANSWERS,
            files={"answers.jsonl": '{"reset": {"seed": 1}, "answer": "x"}\n{"reset": 3}\n'},
        )
