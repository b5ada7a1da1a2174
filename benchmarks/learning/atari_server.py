# SPDX-License-Identifier: MIT OR Apache-2.0
"""Serve Atari games as OpenEnv environments on 127.0.0.1: the stranger of `atari.py`.

    uv venv games && uv pip install --python games/bin/python openenv==0.10.0 ale-py==0.12.1
    games/bin/python benchmarks/learning/atari_server.py --port 8950 --decisions 150

`ale-py` is under GPL-2.0-only, which does not go together with Apache-2.0. So it is no dependency
here; this one file uses it, is offered under MIT as well, imports nothing of the project, is
imported by nothing of it, and runs in an environment of its own. The rest only knows the address.

Each game is under its name, as in `/pong`. Its picture is told as 10 rows of 8 numbers from 0 to 7,
the contrast within fields of 21 by 20 points, of the brighter of the last two frames: what is small
is seen, too. A decision lasts 4 frames; with chance 0.25 a frame repeats the action before (Machado
et al. 2018). An episode ends with the game or after so many decisions. The reward is what the
game's score rose by.
"""

import argparse
import random
import socket
from typing import Any, Literal

import numpy as np
import uvicorn
from ale_py import ALEInterface, LoggerMode, roms
from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import create_model
from starlette.applications import Starlette
from starlette.routing import Mount

FRAMES = 4
STICKY = 0.25
ROWS, COLUMNS = 10, 8
LEVELS = 8
SESSIONS = 64


class Picture(Observation):
    """What is seen."""

    picture: list[int]
    """Contrast of each field, row by row."""


class Game(Environment[Any, Any, Any]):
    """One session of one game."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, name: str, decisions: int) -> None:
        super().__init__()
        self._game = started(name)
        self._decisions = decisions
        self._moves = {move.name.lower(): move for move in self._game.getMinimalActionSet()}
        self._draw = random.Random(0)
        self._before = next(iter(self._moves.values()))
        self._state = State()
        self._over = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:
        self._draw = random.Random(seed)
        self._before = next(iter(self._moves.values()))
        self._state = State(episode_id=episode_id, step_count=0)
        self._over = False
        self._game.reset_game()
        return self._seen([self._game.getScreenGrayscale()], 0.0)

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        if self._over:
            raise ValueError("the game is over, or has not begun: reset first")
        reward, screens = 0.0, []
        for frame in range(FRAMES):
            if self._draw.random() >= STICKY:
                self._before = self._moves[action.move]
            reward += self._game.act(self._before)
            if frame >= FRAMES - 2:
                screens.append(self._game.getScreenGrayscale())
        self._state.step_count += 1
        self._over = self._game.game_over() or self._state.step_count >= self._decisions
        return self._seen(screens, reward)

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> Any:
        return self.reset(seed, episode_id)

    async def step_async(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        return self.step(action, timeout_s)

    @property
    def state(self) -> State:
        return self._state

    def _seen(self, screens: list[Any], reward: float) -> Picture:
        screen = np.maximum.reduce(screens)
        high, wide = screen.shape[0] // ROWS, screen.shape[1] // COLUMNS
        fields = screen[: high * ROWS, : wide * COLUMNS].reshape(ROWS, high, COLUMNS, wide)
        levels = np.ptp(fields, axis=(1, 3)).astype(int) * LEVELS // 256
        return Picture(picture=levels.ravel().tolist(), reward=reward, done=self._over)


def started(name: str) -> Any:
    """Return an emulator that runs a game; what is drawn by chance is drawn here, not there."""
    path = roms.get_rom_path(name)
    if path is None:
        raise SystemExit(f"there is no game {name}")
    game = ALEInterface()
    game.setInt("random_seed", 0)
    game.setInt("frame_skip", 1)
    game.setFloat("repeat_action_probability", 0.0)
    game.loadROM(path)
    return game


def app_of(name: str, decisions: int) -> Any:
    """Return the app of one game."""
    moves = tuple(move.name.lower() for move in started(name).getMinimalActionSet())
    fields: Any = {"move": (Literal[moves], ...)}
    action: type[Action] = create_model("Move", __base__=Action, **fields)
    return create_app(
        lambda: Game(name, decisions), action, Picture,
        env_name=name, max_concurrent_envs=SESSIONS,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve Atari games as OpenEnv environments.")
    parser.add_argument("--port", type=int, default=8950)
    parser.add_argument("--decisions", type=int, default=150, help="most of an episode")
    parser.add_argument("games", nargs="*", help="all where none is named")
    args = parser.parse_args()
    ALEInterface.setLoggerMode(LoggerMode.Error)
    names = args.games or sorted(roms.get_all_rom_ids())
    listening = socket.create_server(("127.0.0.1", args.port), backlog=128)
    routes = [Mount(f"/{name}", app_of(name, args.decisions)) for name in names]
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        Starlette(routes=routes), log_level="warning", access_log=False, ws_ping_interval=None
    )
    uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
