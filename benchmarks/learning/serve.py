"""Serve environments of this benchmark on 127.0.0.1, in one process.

    .servers/openenv-0.10.0/bin/python -m benchmarks.learning.serve [--truth] < ROWS

Reads one JSON line: a list of {"id", "family", "world", "told"}. Prints the base address; each
environment is under its id. Serves until its input ends. With `--truth` the state of a session
tells how far the task was solved, which is for held-out evaluation.
"""

import importlib
import json
import os
import socket
import sys
import threading
from typing import Any

import uvicorn
from openenv.core.env_server import create_app
from starlette.applications import Starlette
from starlette.routing import Mount

SESSIONS = 128


def app_of(row: dict[str, Any], *, audited: bool) -> Any:
    """Return the app of one environment."""
    module = importlib.import_module(f"benchmarks.learning.worlds.{row['family']}")
    world, told = getattr(module, row["world"]), row["told"]

    class Served(world):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(**told, audited=audited)

    return create_app(
        Served, world.action(**told), world.Seen, env_name=row["id"], max_concurrent_envs=SESSIONS
    )


def main() -> None:
    rows = json.loads(sys.stdin.readline())

    def end_with_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    routes = [Mount(f"/{row['id']}", app_of(row, audited="--truth" in sys.argv)) for row in rows]
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        Starlette(routes=routes),
        log_level="warning",
        access_log=False,
        ws_ping_interval=None,  # sessions that evaluate are silent for as long as a learner trains
    )
    uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    main()
