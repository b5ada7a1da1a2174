"""The `syllogism` data set of reasoning-gym, wrapped: question and grader are that package's own.

Free text, one answer. The grader pays 1 for the answer alone and part of it where the answer stands
among other words.
"""

import warnings
from typing import Any
from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

with warnings.catch_warnings():  # a package that it imports compares with `is`
    warnings.simplefilter("ignore", SyntaxWarning)
    import reasoning_gym

HIGHEST_SEED = 2**31 - 1


class Answer(Action):
    """The final answer."""

    answer: str = Field(description="Yes or No", max_length=10_000)


class Question(Observation):
    """The question as the data set words it."""

    question: str


class Syllogism(Environment[Answer, Question, State]):
    """The seed of reset chooses the question."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._entry: dict[str, Any] | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Question:
        """Ask one question."""
        episode = uuid4()
        self._data = reasoning_gym.create_dataset(
            "syllogism", size=1, seed=episode.int % HIGHEST_SEED if seed is None else seed
        )
        self._entry = self._data[0]
        self._state = State(episode_id=episode_id or str(episode))
        return Question(question=self._entry["question"])

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Question:
        """Let the data set's own grader mark the answer."""
        if self._entry is None:
            raise ValueError("the episode is over, or has not begun: reset first")
        entry, self._entry = self._entry, None
        self._state.step_count += 1
        reward = float(self._data.score_answer(answer=action.answer, entry=entry))
        return Question(question=entry["question"], reward=reward, done=True)

    @property
    def state(self) -> State:
        """What the operator sees; the answer is not in it."""
        return self._state


app = create_app(Syllogism, Answer, Question, env_name="rg_syllogism", max_concurrent_envs=32)
