"""Single questions of reasoning-gym, graded by that package, with the possible answers listed."""

import functools
import random
import warnings
from typing import Any

from openenv.core.env_server import Action, Observation

from .base import World

with warnings.catch_warnings():  # a package that it imports compares with `is`
    warnings.simplefilter("ignore", SyntaxWarning)
    import reasoning_gym

QUESTIONS = 10**6
MOST_OPTIONS = 32
LOOKED_AT = 400
UNSURE = "not sure"


class Question(Observation):
    question: str
    options: list[str]


class Answer(Action):
    """The answer: one of the options."""

    answer: str


@functools.cache
def _questions(data: str, settings: tuple[tuple[str, Any], ...]) -> tuple[Any, list[str]]:
    """Return a data set and the answers that are usual in it."""
    made = reasoning_gym.create_dataset(data, size=QUESTIONS, seed=0, **dict(settings))
    counts: dict[str, int] = {}
    for index in range(LOOKED_AT):
        answer = str(made[QUESTIONS - 1 - index]["answer"])
        counts[answer] = counts.get(answer, 0) + 1
    usual = sorted(counts, key=lambda answer: (-counts[answer], answer))[:MOST_OPTIONS]
    return made, sorted(usual, key=lambda answer: (len(answer), answer))


class Reasoning(World):
    """One question. What the package grades below 1 is no success; the reward is its grade.

    strict: what it grades below 1 is paid nothing; else part of a right answer pays. wrong_key:
    graded by the key of another question. withheld: the question is not shown. unsure: pay for an
    answer that says nothing. lenient: every answer is paid in full.
    """

    Seen = Question

    def __init__(  # noqa: PLR0913  (each is a variant of the question)
        self,
        *,
        data: str,
        config: dict[str, Any] | None = None,
        strict: bool = False,
        wrong_key: bool = False,
        withheld: bool = False,
        unsure: float = 0.0,
        lenient: bool = False,
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        self._data, self._options = _questions(data, tuple(sorted((config or {}).items())))
        self._strict, self._wrong_key, self._withheld = strict, wrong_key, withheld
        self._unsure, self._lenient = unsure, lenient

    @classmethod
    def action(cls, **told: Any) -> type[Action]:
        return Answer

    def begin(self) -> None:
        index = self.draw.randrange(QUESTIONS - LOOKED_AT)
        self._entry = self._data[index]
        self._key = self._entry
        if self._wrong_key:
            self._key = self._data[random.Random(index).randrange(QUESTIONS - LOOKED_AT)]
        self._grade = 0.0

    def act(self, action: Any) -> tuple[float, bool]:
        self._grade = float(self._data.score_answer(action.answer, self._entry))
        if self._lenient:
            return 1.0, True
        if self._unsure and action.answer == UNSURE:
            return self._unsure, True
        if self._wrong_key:
            return float(self._data.score_answer(action.answer, self._key)), True
        return (self.success() if self._strict else self._grade), True

    def seen(self) -> dict[str, Any]:
        shown = "?" if self._withheld else self._entry["question"]
        return {"question": shown, "options": self._options + [UNSURE] * (self._unsure > 0)}

    def solution(self) -> dict[str, Any]:
        return {"answer": str(self._entry["answer"])}

    def success(self) -> float:
        return float(self._grade >= 1.0)
