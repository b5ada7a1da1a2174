"""A single-turn question environment with a task list: which element has this symbol? Healthy.

One answer, paid 1 when right and 0 when wrong, and the episode is over. The server lists the tasks
(`/elements/splits`, `/elements/tasks` and so on); reset takes a split and an index, and the seed
chooses the order of the options. Without a split the seed chooses the task too.
"""

import random
from typing import Any, Literal
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

SPLITS: dict[str, dict[str, str]] = {
    "train": {
        "Na": "sodium", "K": "potassium", "Fe": "iron", "Au": "gold", "Ag": "silver",
        "Pb": "lead", "Sn": "tin", "Hg": "mercury", "Cu": "copper", "W": "tungsten",
        "Sb": "antimony", "He": "helium", "Li": "lithium", "Mg": "magnesium", "P": "phosphorus",
        "S": "sulfur",
    },
    "test": {
        "Zn": "zinc", "Mn": "manganese", "Cr": "chromium", "Br": "bromine",
        "Si": "silicon", "Ar": "argon", "Ti": "titanium", "Pt": "platinum",
    },
}  # fmt: skip
KEYS = ("A", "B", "C", "D")


class Answer(Action):
    """The key of one option."""

    choice: Literal["A", "B", "C", "D"] = Field(description="The option you take to be right")


class Question(Observation):
    """A question; after the answer, whether it was right."""

    question: str
    options: dict[str, str] = Field(description="What each key stands for")
    correct: bool | None = Field(default=None, description="Absent until you answered")


class Elements(Environment[Answer, Question, State]):
    """A question of chemistry with four options."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._symbol = self._name = ""
        self._options: dict[str, str] = {}
        self._over = True

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int = 0,
        **_: Any,
    ) -> Question:
        """Ask the question of that split and index, or one that the seed chooses."""
        draw = random.Random(seed)
        if split is None:
            split, index = "train", draw.randrange(self.num_tasks("train"))
        self._symbol = self.get_task(split, index)["symbol"]
        self._name = SPLITS[split][self._symbol]
        others = [name for table in SPLITS.values() for name in table.values()]
        others.remove(self._name)
        shown = [self._name, *draw.sample(others, len(KEYS) - 1)]
        draw.shuffle(shown)
        self._options = dict(zip(KEYS, shown, strict=True))
        self._over = False
        self._state = State(episode_id=episode_id or str(uuid4()))
        return self._question()

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Question:
        """Mark the answer."""
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        self._over = True
        self._state.step_count += 1
        correct = self._options[action.choice] == self._name
        return self._question(correct=correct, reward=float(correct))

    @property
    def state(self) -> State:
        """What the operator sees; the answer is not in it."""
        return self._state

    # The task list. These must work on a new instance and change nothing.

    def list_splits(self) -> list[str]:
        """Return the names of the splits."""
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        """Return how many tasks a split has."""
        return len(_table(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return every task of a split."""
        return [
            {"id": f"{split}-{index}", "index": index, "symbol": symbol}
            for index, symbol in enumerate(_table(split))
        ]

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return one task; an index that is not there is an IndexError."""
        tasks = self.list_tasks(split)
        if not 0 <= index < len(tasks):
            raise IndexError(f"split {split} has no task {index}")
        return tasks[index]

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the tasks from `start` to before `stop`."""
        return self.list_tasks(split)[start:stop]

    def _question(self, correct: bool | None = None, reward: float | None = None) -> Question:
        return Question(
            question=f"Which element has the symbol {self._symbol}?",
            options=self._options,
            correct=correct,
            reward=reward,
            done=self._over,
        )


def _table(split: str) -> dict[str, str]:
    if split not in SPLITS:
        raise IndexError(f"no split named {split}")
    return SPLITS[split]


app = create_app(Elements, Answer, Question, env_name="elements", max_concurrent_envs=32)
