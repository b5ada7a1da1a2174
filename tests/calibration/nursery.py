"""Asks `serve.py` for environments, from a process that has no OpenEnv itself."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (
    str(ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"),
    str(ROOT / "tests" / "calibration" / "serve.py"),
)


class Nursery:
    """A running `serve.py`."""

    def __init__(self, child: "subprocess.Popen[str]") -> None:
        self.child = child

    def ask(self, request: Any) -> dict[str, Any]:
        """Send one request and return the answer."""
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        answer: dict[str, Any] = json.loads(self.child.stdout.readline())
        return answer

    @contextmanager
    def serving(self, name: str) -> Iterator[str]:
        """Give the address of an environment, in a fresh process."""
        started = self.ask({"start": name})
        if "error" in started:
            raise RuntimeError(started["error"])
        try:
            yield started["url"]
        finally:
            self.ask({"stop": name})


@contextmanager
def nursery() -> Iterator[Nursery]:
    """Give a running `serve.py`; it ends, with all it serves, when the block does."""
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        yield Nursery(child)
