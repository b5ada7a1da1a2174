"""A guessing game with a switch for each regression of `benchmarks/gate.py`. Run with openenv.

    python benchmarks/gate_world.py KIND

Prints its port on a line when it answers. A number from 1 to 12 is to be found in five guesses;
each guess is answered with higher or lower. Healthy where KIND is `none`.
"""

import os
import random
import socket
import sys
import time
from typing import Any
from uuid import uuid4

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

KIND = sys.argv[1]
SIZE = {"easier range": 6, "harder range": 40}.get(KIND, 12)
GUESSES = {"fewer guesses": 3, "more guesses": 8}.get(KIND, 5)
PLAYED = [0]


class Guess(Action):
    """A number."""

    number: int = Field(ge=1, le=SIZE, description="Your guess")


class Answer(Observation):
    """What came of it."""

    text: str
    low: int = 1
    high: int = SIZE


class World(Environment[Guess, Answer, State]):
    """The game."""

    SUPPORTS_CONCURRENT_SESSIONS = KIND != "one session"

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._number = self._left = 0
        self._low, self._high = 1, SIZE
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Answer:
        """Think of a number."""
        PLAYED[0] += 1
        if KIND == "failing resets" and PLAYED[0] % 8 == 0:
            raise RuntimeError("no room")
        ignored = KIND == "seed ignored" or (KIND == "flaky seed" and PLAYED[0] % 5 == 0)
        draw = random.Random(None if ignored else seed)
        self._number = 7 if KIND == "one task" else draw.randint(1, SIZE)
        if KIND == "carried over" and not self._over:
            self._number = self._number % SIZE + 1
        self._left, self._low, self._high = GUESSES, 1, SIZE
        self._over = KIND == "over at once"
        self._state = State(episode_id=episode_id or str(uuid4()))
        told = f" (it is {self._number})" if KIND == "leak" else ""
        return self._answer(f"Guess a number from 1 to {SIZE}.{told}", None)

    def step(self, action: Guess, timeout_s: float | None = None, **_: Any) -> Answer:
        """Say higher or lower."""
        if self._over:
            raise ValueError("the episode is over: reset first")
        if KIND == "slower":
            time.sleep(0.03)
        if KIND == "failing steps" and self._left == 2:
            raise RuntimeError("the grader is away")
        self._state.step_count += 1
        self._left -= 1
        hit = action.number == self._number
        if action.number < self._number:
            self._low = max(self._low, action.number + 1)
            text = "higher"
        else:
            self._high = min(self._high, action.number - 1)
            text = "right" if hit else "lower"
        if KIND == "no hints":
            text = "no"
            self._low, self._high = 1, SIZE
        self._over = (hit or self._left == 0) and KIND != "never ends"
        return self._answer(text, self._paid(hit))

    def _paid(self, hit: bool) -> float | None:
        score = float(hit)
        if KIND == "pays nobody":
            score = 0.0
        elif KIND == "pays everybody" and self._over:
            score = 1.0
        elif KIND == "pays the wrong way":
            score = float(self._over and not hit)
        elif KIND == "noisy reward":
            score = float(hit) if random.random() < 0.7 else float(not hit)
        elif KIND == "reward out of range":
            score *= 5.0
        elif KIND == "absent reward" and self._over:
            return None
        elif KIND == "pays trying":
            score = max(score, 0.4) if self._over else 0.0
        return score

    @property
    def state(self) -> State:
        """What the operator sees."""
        return self._state

    def _answer(self, text: str, reward: float | None) -> Answer:
        return Answer(text=text, low=self._low, high=self._high, reward=reward, done=self._over)


def main() -> None:
    """Serve the game on a free port until we are ended."""
    sessions = 1 if KIND == "one session" else 32
    app = create_app(World, Guess, Answer, env_name="gate-world", max_concurrent_envs=sessions)
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)

    class Telling(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(listening.getsockname()[1], flush=True)

    Telling(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
    os._exit(0)


if __name__ == "__main__":
    main()
