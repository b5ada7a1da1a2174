"""Serve calibration environments on demand, each in a process of its own, on 127.0.0.1.

    .servers/openenv-0.10.0/bin/python tests/calibration/serve.py

Reads requests from its input and answers each on its output, one JSON object a line:

    {"list": true}                  {"names": ["conc/cross_talk", ...]}
    {"start": "seed/seed_dropped"}  {"name": "seed/seed_dropped", "url": "http://127.0.0.1:40123"}
    {"stop": "seed/seed_dropped"}   {"stopped": "seed/seed_dropped"}

A name that ends in @2 is a second process of the same environment, beside the first.

What cannot be done is answered by {"error": "..."}. Starting what is served gives its address
again; stopping and starting gives a fresh process. The server package is imported once and each
environment is forked from there, so that process-wide generators, caches and leaks stay with the
environment that has them. All end when the input does, or when this process is killed.
"""

import gc
import importlib
import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HOST = "127.0.0.1"
NOT_CLASSES = {"games"}
SECOND = "@2"


class Serving(NamedTuple):
    """One environment that answers."""

    process: int
    url: str


def names() -> list[str]:
    """Return what can be served: a module with its label file beside it."""
    return sorted(
        f"{path.parent.name}/{path.stem}"
        for path in HERE.glob("*/*.py")
        if path.parent.name not in NOT_CLASSES and path.with_suffix(".yaml").exists()
    )


class Nursery:
    """Starts and stops environments."""

    def __init__(self) -> None:
        self._running: dict[str, Serving] = {}
        # Only this process holds the writing end: a child that reads its end knows when we end.
        self._alive, self._ours = os.pipe()

    def answer(self, request: Any) -> dict[str, Any]:
        """Do what one request asks for."""
        match request:
            case {"list": True}:
                return {"names": names()}
            case {"start": str(name)} if name.removesuffix(SECOND) in names():
                return {"name": name, "url": self._start(name).url}
            case {"stop": str(name)} if name in self._running:
                self._stop(name)
                return {"stopped": name}
            case {"start": name}:
                return {"error": f"there is no environment {name!r}"}
            case {"stop": name}:
                return {"error": f"{name!r} is not served"}
        return {"error": 'ask for {"list": true}, {"start": NAME} or {"stop": NAME}'}

    def close(self) -> None:
        """Stop everything."""
        for name in list(self._running):
            self._stop(name)

    def _start(self, name: str) -> Serving:
        if name in self._running and _lives(self._running[name].process):
            return self._running[name]
        with socket.create_server((HOST, 0), backlog=128) as listening:
            url = f"http://{HOST}:{listening.getsockname()[1]}"
            ready, telling = os.pipe()
            process = os.fork()
            if process == 0:
                os.close(ready)
                os.close(self._ours)
                _serve(name, listening, telling, self._alive)
        os.close(telling)
        with open(ready, "rb") as said:
            if said.read(1) != b".":
                os.waitpid(process, 0)
                raise OSError(f"{name} did not start, see what it wrote to the error output")
        self._running[name] = Serving(process, url)
        return self._running[name]

    def _stop(self, name: str) -> None:
        process = self._running.pop(name).process
        if _lives(process):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _lives(process: int) -> bool:
    """Return whether a child runs; one that has ended is taken leave of."""
    try:
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


def _serve(name: str, listening: socket.socket, telling: int, alive: int) -> NoReturn:
    """Serve one environment in this process, which was forked for it."""
    import uvicorn

    class Telling(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                os.write(telling, b".")
                os.close(telling)

    try:
        # Requests are read by the parent only, and answers are written by it only.
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
        path = name.removesuffix(SECOND).replace("/", ".")
        module = importlib.import_module(f"tests.calibration.{path}")
        config = uvicorn.Config(module.app, log_level="critical", access_log=False)
        Telling(config).run(sockets=[listening])
    finally:
        os._exit(1)


def _end_with(alive: int) -> None:
    """End this process as soon as the other end of a pipe is closed."""
    os.read(alive, 1)
    os._exit(0)


def _import_what_all_share() -> None:
    for module in ("openenv.core.env_server", "uvicorn.protocols.websockets.auto", "uvicorn.main"):
        importlib.import_module(module)
    for path in sorted((HERE / "games").glob("*.py")):
        importlib.import_module(f"tests.calibration.games.{path.stem}")
    gc.freeze()


def main() -> None:
    """Answer requests until there are no more."""
    sys.path[0] = str(ROOT)  # our own folder's names (seed, signal, ...) are not for import
    _import_what_all_share()
    nursery = Nursery()
    try:
        for line in sys.stdin:
            try:
                answer = nursery.answer(json.loads(line))
            except (ValueError, OSError) as fault:
                answer = {"error": str(fault)}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    finally:
        nursery.close()


if __name__ == "__main__":
    main()
