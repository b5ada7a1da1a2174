"""Environments that pay whatever is done, for `learnable.py`: there is nothing to learn in them.

Run it with an interpreter that has openenv. It prints its base address, with each environment
under its own path, and serves until its input ends. What is random comes from the system, so that
nothing repeats.
"""

import os
import random
import socket
import sys
import threading
from typing import Any, Literal

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from starlette.applications import Starlette
from starlette.routing import Mount

STEPS = 6
LUCK = random.SystemRandom()


class Press(Action):
    """One press of a button."""

    button: Literal["red", "green", "blue", "white"]


class Shown(Observation):
    place: int
    lights: list[int]


class Chance(Environment[Press, Shown, State]):
    """Six presses; lights and place go by the seed and by what is pressed, the pay by neither."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State()
        self._draw = random.Random(0)
        self._place = 0

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Shown:
        self._state = State(episode_id=episode_id)
        self._draw = random.Random(seed)
        self._place = 0
        self.begin()
        return self._shown(None, over=False)

    def step(self, action: Press, timeout_s: float | None = None, **_: Any) -> Shown:
        self._state.step_count += 1
        self._place += {"red": 1, "green": -1, "blue": 2, "white": 0}[action.button]
        over = self._state.step_count >= STEPS
        return self._shown(self.pay(over), over=over)

    def begin(self) -> None:
        """Do what is done once an episode."""

    def pay(self, over: bool) -> float:
        """Return what a step earns."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        return self._state

    def _shown(self, reward: float | None, *, over: bool) -> Shown:
        lights = [self._draw.randint(0, 3) for _ in range(3)]
        return Shown(place=self._place, lights=lights, reward=reward, done=over)


class CoinAtTheEnd(Chance):
    """A fair coin when the episode ends."""

    def pay(self, over: bool) -> float:
        return float(over and LUCK.random() < 0.5)


class CoinEachStep(Chance):
    """A fair coin for every press."""

    def pay(self, over: bool) -> float:
        return float(LUCK.random() < 0.5)


class Jackpot(Chance):
    """Ten once in fifty episodes."""

    def pay(self, over: bool) -> float:
        return 10.0 * float(over and LUCK.random() < 0.02)


class Noise(Chance):
    """Normal noise for every press."""

    def pay(self, over: bool) -> float:
        return LUCK.gauss(0.0, 1.0)


class Weather(Chance):
    """What an episode's presses are worth is drawn as it begins."""

    def begin(self) -> None:
        self._worth = LUCK.random()

    def pay(self, over: bool) -> float:
        return self._worth


class Streaks(Chance):
    """A coin that mostly falls as in the episode before, whoever played it."""

    side = True

    def begin(self) -> None:
        if LUCK.random() < 0.1:
            type(self).side = not type(self).side

    def pay(self, over: bool) -> float:
        return float(over and self.side)


SERVED = {
    "coin_at_the_end": CoinAtTheEnd,
    "coin_each_step": CoinEachStep,
    "jackpot": Jackpot,
    "noise": Noise,
    "weather": Weather,
    "streaks": Streaks,
}


def main() -> None:
    def end_with_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    routes = [
        Mount(f"/{name}", create_app(game, Press, Shown, env_name=name, max_concurrent_envs=16))
        for name, game in SERVED.items()
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning", access_log=False)
    uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
