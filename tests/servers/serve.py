"""Serves one small environment with the openenv server of the interpreter that runs this file.

    python tests/servers/serve.py toy

prints the base address on a line of its own once it answers, and serves until it is ended. With
more than one name each is served under its own path: `http://127.0.0.1:PORT/toy`. With `--tied`
the server also ends when its standard input does, so that none outlives its test.
"""

import argparse
import importlib
import os
import random
import socket
import sys
import threading
import uuid
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

warnings.simplefilter("ignore")


def core(module: str) -> Any:
    """Import a module of the server package under the name it has in this interpreter."""
    for package in ("openenv.core", "openenv_core"):
        try:
            return importlib.import_module(f"{package}.{module}")
        except ModuleNotFoundError as fault:
            missing = fault
    raise missing


types = core("env_server.types")
Environment = core("env_server.interfaces").Environment
create_app = core("env_server.http_server").create_app


@dataclass(frozen=True)
class Served:
    """An environment and how it is served."""

    make: Callable[[], Any]
    action: type
    observation: type
    name: str
    sessions: int = 8


class Guess(types.Action):
    number: int


class Hint(types.Observation):
    hint: str
    guesses_left: int


class GuessingGame(Environment):
    """Find a number from 0 to 9 in five guesses; finding it pays 1.0 and ends the episode."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = types.State(episode_id=None, step_count=0)
        self._secret: int | None = None
        self._over = False

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:
        self._over = False
        self._secret = random.Random(seed).randrange(10)
        self._state = types.State(episode_id=episode_id or str(uuid.uuid4()), step_count=0)
        return self._hint("guess a number from 0 to 9")

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        if self._secret is None:
            raise RuntimeError("reset first")
        if self._over:
            raise RuntimeError("the episode has ended: reset first")
        self._state.step_count += 1
        self._over = action.number == self._secret or self._state.step_count >= 5
        if action.number == self._secret:
            return self._hint("found", reward=1.0, done=True)
        hint = "higher" if action.number < self._secret else "lower"
        return self._hint(hint, reward=0.0, done=self._over)

    @property
    def state(self) -> Any:
        return self._state

    def _hint(self, hint: str, *, reward: float | None = None, done: bool = False) -> Any:
        return Hint(
            hint=hint,
            guesses_left=5 - self._state.step_count,
            reward=reward,
            done=done,
            metadata={"step": self._state.step_count},
        )


class Sum(types.Action):
    total: int


class Question(types.Observation):
    question: str


class ListedSums(GuessingGame):
    """One-step sums, chosen from two lists by `split` and `index`."""

    SPLITS = {"train": 5, "test": 2}

    def __init__(self) -> None:
        super().__init__()
        self._total = 0

    def list_splits(self) -> list[Any]:
        return list(self.SPLITS)

    def list_tasks(self, split: str) -> list[Any]:
        return [self.get_task(split, index) for index in range(self.SPLITS[split])]

    def num_tasks(self, split: str) -> int:
        return self.SPLITS[split]

    def get_task(self, split: str, index: int) -> Any:
        if index not in range(self.SPLITS[split]):
            raise IndexError(index)
        return {"id": f"{split}-{index}", "question": f"{index} + {len(split)}"}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> Any:
        return self.list_tasks(split)[start:stop]

    def reset(self, split: str = "train", index: int = 0, **_: Any) -> Any:
        self._state = types.State(episode_id=str(uuid.uuid4()), step_count=0)
        self._total = index + len(split)
        return Question(question=f"{index} + {len(split)}")

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
        self._state.step_count += 1
        right = action.total == self._total
        return Question(question="", reward=float(right), done=True)


def guessing(sessions: int, name: str) -> Served:
    return Served(GuessingGame, Guess, Hint, name, sessions)


def echo_mcp() -> Served:
    from fastmcp import FastMCP

    base = core("env_server.mcp_environment").MCPEnvironment
    tools = core("env_server.mcp_types")

    class EchoTools(base):  # type: ignore[misc, valid-type]
        """Two tools that give back what they are given."""

        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self) -> None:
            server = FastMCP("echo")

            @server.tool
            def echo(message: str) -> str:
                """Return the message."""
                return message

            @server.tool
            def repeat(message: str, times: int = 2) -> str:
                """Return the message several times."""
                return message * times

            super().__init__(server)
            self._state = types.State(episode_id=None, step_count=0)

        def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:
            self._state = types.State(episode_id=episode_id or str(uuid.uuid4()), step_count=0)
            return types.Observation(done=False, reward=0.0, metadata={"ready": True})

        def _step_impl(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
            return types.Observation(done=False, reward=0.0, metadata={"error": "no tool call"})

        @property
        def state(self) -> Any:
            return self._state

    return Served(EchoTools, tools.CallToolAction, tools.CallToolObservation, "echo")


SERVED: dict[str, Callable[[], Served]] = {
    "toy": lambda: guessing(32, "toy"),
    "one-slot": lambda: guessing(1, "one_slot"),
    "echo-mcp": echo_mcp,
    "tasks": lambda: Served(ListedSums, Sum, Question, "sums"),
}


class Announcing(uvicorn.Server):
    """A server that prints its address once it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        assert sockets
        print(f"http://127.0.0.1:{sockets[0].getsockname()[1]}", flush=True)  # noqa: T201


def end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


def application(name: str) -> Any:
    served = SERVED[name]()
    return create_app(
        served.make,
        served.action,
        served.observation,
        env_name=served.name,
        max_concurrent_envs=served.sessions,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", choices=sorted(SERVED), metavar="NAME")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--tied", action="store_true", help="end when standard input ends")
    args = parser.parse_args()
    if len(args.names) == 1:
        app = application(args.names[0])
    else:
        app = Starlette(routes=[Mount(f"/{name}", application(name)) for name in args.names])
    if args.tied:
        threading.Thread(target=end_with_input, daemon=True).start()
    # The protocol must be named: asyncio turns delays off only on sockets that say they are TCP.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", args.port))
    listening.listen(128)
    Announcing(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


if __name__ == "__main__":
    main()
