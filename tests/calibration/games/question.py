"""K3: one question, one answer, and it is over. Twenty tasks, listed by the server.

Reset takes a split and an index; without them the seed chooses the task. The tables of questions
differ: capitals (words), fractions and sums (numbers), passages (reading) and rivers (sets).
"""

from typing import Any, ClassVar

from openenv.core.env_server import Action, Observation
from pydantic import Field

from tests.calibration.games.episode import Game
from tests.calibration.games.question_oracle import (
    CAPITALS,
    FRACTIONS,
    PEOPLE,
    RIVERS,
    SUMS,
    answer_of,
)


class Answer(Action):
    """The final answer."""

    answer: str = Field(max_length=2000, description="The answer and nothing else")


class Asked(Observation):
    """A question, and after the answer a word about it."""

    question: str
    format: str = Field(description="How the answer is to be written")
    remark: str = ""


class Question(Game):
    """Pays 1 for the right answer in the format asked for, else 0. Asks for capitals."""

    takes: ClassVar[type[Action]] = Answer
    shows: ClassVar[type[Observation]] = Asked
    format: ClassVar[str] = "one word"
    questions: ClassVar[tuple[str, ...]] = tuple(
        f"What is the capital of {country}?" for country in CAPITALS
    )

    def __init__(self) -> None:
        super().__init__()
        self.question = self.questions[0]
        self.remark = ""

    def begin(self, **options: Any) -> None:
        """Ask the question of the split and index, or one that the seed chooses."""
        split = options.get("split")
        index = options.get("index", 0) if split else self.draw.randrange(len(self.questions))
        self.question = self.get_task(split or "train", index)["question"]
        self.remark = ""

    def play(self, action: Any) -> float | None:
        """Grade the answer."""
        self.over = True
        self.remark = "noted"
        return self.grade(action.answer)

    def grade(self, answer: str) -> float | None:
        """Return what an answer is worth."""
        return float(answer.strip() == answer_of(self.question))

    def look(self) -> dict[str, Any]:
        """Return the question."""
        return {"question": self.question, "format": self.format, "remark": self.remark}

    # The task list. It works on a new instance and changes nothing.

    def list_splits(self) -> list[str]:
        """Return the names of the splits."""
        return ["train"]

    def num_tasks(self, split: str) -> int:
        """Return how many tasks a split has."""
        if split not in self.list_splits():
            raise IndexError(f"no split named {split}")
        return len(self.questions)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return one task; an index that is not there is an IndexError."""
        if index not in range(self.num_tasks(split)):
            raise IndexError(f"split {split} has no task {index}")
        return {"id": f"{split}-{index}", "index": index, "question": self.questions[index]}

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return every task of a split."""
        return [self.get_task(split, index) for index in range(self.num_tasks(split))]

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the tasks from `start` to before `stop`."""
        return self.list_tasks(split)[start:stop]


class Fractions(Question):
    """Asks for fractions as decimal numbers."""

    format = "a decimal number, exact"
    questions = tuple(f"Write {top}/{bottom} as a decimal number." for top, bottom in FRACTIONS)


class Sums(Question):
    """Asks for sums of fractions."""

    format = "a fraction"
    questions = tuple(f"How much is {first} and {second}?" for first, second in SUMS)


class Passages(Question):
    """Asks what a passage says, which therefore holds the answer."""

    format = "one word of the passage"
    questions = tuple(
        f"{name} was born in {year} and lived as a {trade} in a small town by the sea. "
        f"What was the trade of {name}?"
        for name, trade, year in PEOPLE
    )


class Rivers(Question):
    """Asks for sets of towns."""

    format = "three towns, separated by commas, in any order"
    questions = tuple(f"Which three towns of our list lie on the {river}?" for river in RIVERS)

    def grade(self, answer: str) -> float | None:
        """Compare as sets."""
        return float(towns(answer) == towns(answer_of(self.question)))


def towns(answer: str) -> set[str]:
    """Return the towns named in an answer."""
    return {town.strip() for town in answer.split(",")}
