"""An echo environment on the stock openenv server; run with an interpreter that has openenv.

Prints its base URL, then serves until it is ended.
"""

import socket
from typing import Any

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_app


class Say(Action):
    message: str


class Heard(Observation):
    message: str | None = None


class Echo(Environment[Say, Heard, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Heard:
        return Heard(reward=0.0)

    def step(self, action: Say, timeout_s: float | None = None, **_: Any) -> Heard:
        return Heard(message=action.message, reward=0.0)

    @property
    def state(self) -> State:
        return State()


def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=512)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    app = create_app(Echo, Say, Heard, env_name="echo", max_concurrent_envs=256)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run([listening])


if __name__ == "__main__":
    main()
