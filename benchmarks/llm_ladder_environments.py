"""The three text environments of `llm_ladder.py`, on the stock openenv server.

Run it with an interpreter that has openenv and reasoning-gym. It prints its base address, with
each environment under its own path, and serves until its input ends.
"""

import os
import random
import socket
import sys
import threading
import warnings
from typing import Any, Literal

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field
from starlette.applications import Starlette
from starlette.routing import Mount

with warnings.catch_warnings():  # a package that it imports compares with `is`
    warnings.simplefilter("ignore", SyntaxWarning)
    import reasoning_gym

SIDE = 4
MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
LONGEST_WALK = 8
HIGHEST = 16
TRIES = 4


class Told(Observation):
    text: str


class Game(Environment[Any, Told, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._over = True

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Told:
        if self._over:
            raise ValueError("the episode is over, or has not begun: reset first")
        self._state.step_count += 1
        text, reward = self.play(action)
        self._over = reward is not None
        return Told(text=text, reward=0.0 if reward is None else reward, done=self._over)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Told:
        self._over = False
        self._state = State(episode_id=episode_id)
        return Told(text=self.begin(random.Random(seed)))

    def begin(self, rng: random.Random) -> str:
        raise NotImplementedError

    def play(self, action: Any) -> tuple[str, float | None]:
        """Return what is told, and the score where that ends the game."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        return self._state


class Result(Action):
    """The number that comes out."""

    answer: int = Field(ge=-100, le=1000, description="The result")


class Arithmetic(Game):
    """The `basic_arithmetic` data set of reasoning-gym: + - *, two or three one-digit terms.

    Question and grader are that package's own; the grader pays part for a wrong number.
    """

    def begin(self, rng: random.Random) -> str:
        self._data = reasoning_gym.create_dataset(
            "basic_arithmetic",
            size=1,
            seed=rng.randrange(2**31),
            min_terms=2,
            max_terms=3,
            min_digits=1,
            max_digits=1,
            operators=("+", "-", "*"),
            allow_parentheses=False,
        )
        question: str = self._data[0]["question"]
        return question

    def play(self, action: Result) -> tuple[str, float | None]:
        score = self._data.score_answer(answer=str(action.answer), entry=self._data[0])
        return "The answer was taken.", float(score)


class Step(Action):
    """One step on the grid."""

    move: Literal["up", "down", "left", "right"]


class Grid(Game):
    """Go to the goal: 1 for the shortest way, less for a longer one, 0 after eight steps."""

    def begin(self, rng: random.Random) -> str:
        cells = [(x, y) for x in range(SIDE) for y in range(SIDE)]
        self._place, self._goal = rng.sample(cells, 2)
        self._shortest = sum(abs(a - b) for a, b in zip(self._place, self._goal, strict=True))
        return self._told()

    def play(self, action: Step) -> tuple[str, float | None]:
        dx, dy = MOVES[action.move]
        x, y = self._place[0] + dx, self._place[1] + dy
        if 0 <= x < SIDE and 0 <= y < SIDE:
            self._place = (x, y)
        if self._place == self._goal:
            return "You are at the goal.", self._shortest / self._state.step_count
        return self._told(), 0.0 if self._state.step_count == LONGEST_WALK else None

    def _told(self) -> str:
        (x, y), (goal_x, goal_y) = self._place, self._goal
        return (
            f"You are at column {x}, row {y}. The goal is at column {goal_x}, row {goal_y}. "
            f"Columns count from 0 at the left to {SIDE - 1}, rows from 0 at the top to {SIDE - 1}."
        )


class Guess(Action):
    """One guess."""

    number: int = Field(ge=1, le=HIGHEST, description="The number you take it to be")


class Guessing(Game):
    """Find a number: 1 for finding it within the tries, else 0."""

    def begin(self, rng: random.Random) -> str:
        self._hidden = rng.randint(1, HIGHEST)
        return f"I think of a number from 1 to {HIGHEST}. You have {TRIES} guesses."

    def play(self, action: Guess) -> tuple[str, float | None]:
        if action.number == self._hidden:
            return "Right.", 1.0
        way = "larger" if self._hidden > action.number else "smaller"
        left = TRIES - self._state.step_count
        told = f"The number is {way} than {action.number}. You have {left} guesses left."
        return told, None if left else 0.0


SERVED = {"arithmetic": (Arithmetic, Result), "grid": (Grid, Step), "guess": (Guessing, Guess)}


def main() -> None:
    def end_with_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    routes = [
        Mount(f"/{name}", create_app(game, action, Told, env_name=name, max_concurrent_envs=16))
        for name, (game, action) in SERVED.items()
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning", access_log=False)
    uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
