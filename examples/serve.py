"""Serve example environments, each in a process of its own, on 127.0.0.1.

    python examples/serve.py hangman --port 8000
    python examples/serve.py --all

As soon as an environment answers it has one line on the output: name, URL and manifest file
(`-` where there is none), separated by tabs. After the last one comes a line `ready`. All end
together: on SIGTERM, on Ctrl-C, when one of them dies, and when this process is killed.

Run it with an interpreter that has `openenv`; `make servers` makes one.
"""

import argparse
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

HOST = "127.0.0.1"
HERE = Path(__file__).resolve().parent
START_SECONDS = 120.0
STOP_SECONDS = 5.0


class Serving(NamedTuple):
    """One environment on its way up, or up."""

    name: str
    process: Any
    said: Connection
    """Carries its port once, when it answers."""


def names() -> list[str]:
    """Return the names of the examples: folders with a module of the same name."""
    return sorted(path.parent.name for path in HERE.glob("*/*.py") if path.stem == path.parent.name)


def serve(name: str, port: int, said: Connection) -> None:
    """Serve one example in this process until it is told to end; tell its port when it answers."""
    import uvicorn

    class Telling(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                said.send(listening.getsockname()[1])

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the supervisor ends us
    try:
        listening = socket.create_server((HOST, port), backlog=128)
    except OSError as fault:
        _complain(f"{name} cannot have port {port}: {os.strerror(fault.errno or 0)}")
        sys.exit(1)
    config = uvicorn.Config(
        _app_of(name), log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    server = Telling(config)

    def end_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            wait([parent.sentinel])
            server.should_exit = True

    threading.Thread(target=end_with_parent, daemon=True).start()
    server.run(sockets=[listening])


def _app_of(name: str) -> Any:
    """Return the `app` that the example's module makes."""
    spec = spec_from_file_location(name, HERE / name / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.app


def supervise(chosen: list[str], port: int) -> int:
    """Start the chosen examples, announce them, and stay until one of them or we end."""
    serving: list[Serving] = []
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        serving.extend(_started(chosen, port))
        for one in serving:
            _say(_announcement(one))
        _say("ready")
        dead = wait([one.process.sentinel for one in serving])
        fallen = ", ".join(one.name for one in serving if one.process.sentinel in dead)
        _complain(f"{fallen} ended by itself")
        return 1
    except _Broken as fault:
        _complain(str(fault))
        return 1
    except KeyboardInterrupt:
        return 0
    finally:
        _end(serving)


class _Broken(Exception):
    """An example did not come up."""


def _started(chosen: list[str], port: int) -> Iterator[Serving]:
    context: Any = multiprocessing.get_context(_start_method())
    if context.get_start_method() == "forkserver":
        # What all share is imported once, in the process that the others are forked from.
        context.set_forkserver_preload(["openenv.core.env_server", "uvicorn"])
    for number, name in enumerate(chosen):
        said, saying = context.Pipe(duplex=False)
        process = context.Process(
            target=serve, args=(name, port + number if port else 0, saying), name=name
        )
        process.start()
        saying.close()
        yield Serving(name, process, said)


def _start_method() -> str:
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def _announcement(one: Serving) -> str:
    try:
        if not one.said.poll(START_SECONDS):
            raise _Broken(f"{one.name} did not answer within {START_SECONDS:g} s")
        port = one.said.recv()
    except EOFError:
        raise _Broken(f"{one.name} did not start") from None
    manifest = HERE / one.name / "envassay.yaml"
    return f"{one.name}\thttp://{HOST}:{port}\t{manifest if manifest.exists() else '-'}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _complain(what: str) -> None:
    sys.stderr.write(f"serve.py: {what}\n")


def _stop(_signal: int, _frame: FrameType | None) -> None:
    for which in (signal.SIGTERM, signal.SIGINT):
        signal.signal(which, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end(serving: list[Serving]) -> None:
    for one in serving:
        one.process.terminate()
    for one in serving:
        one.process.join(STOP_SECONDS)
        if one.process.is_alive():
            one.process.kill()
            one.process.join()


def main() -> int:
    """Read the command line and serve."""
    known = names()
    parser = argparse.ArgumentParser(
        prog="serve.py", description="Serve example environments on 127.0.0.1."
    )
    parser.add_argument("name", nargs="*", help=f"any of: {', '.join(known)}")
    parser.add_argument("--all", action="store_true", help="serve every example")
    parser.add_argument(
        "--port", type=int, default=0, help="of the first one, the others follow (default: free)"
    )
    args = parser.parse_args()
    chosen = known if args.all else list(dict.fromkeys(args.name))
    if not chosen:
        parser.error("name an example, or give --all")
    for name in chosen:
        if name not in known:
            parser.error(f"no example named {name!r}. Known: {', '.join(known)}")
    if not 0 <= args.port <= 65536 - len(chosen):
        parser.error(f"--port {args.port} is no port")
    if find_spec("openenv") is None:
        parser.error(f"{sys.executable} has no openenv. `make servers` makes one that has")
    return supervise(chosen, args.port)


if __name__ == "__main__":
    sys.exit(main())
