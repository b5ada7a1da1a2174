"""Finds the interpreter that has openenv: what is validated never shares ours."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from validator.errors import SettingsError

SERVERS = Path(".servers/openenv-0.10.0/bin/python")


@contextmanager
def server_log(home: Path) -> Iterator[IO[bytes]]:
    """Open the file that takes what servers started by us say beside their answers."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = (home / "servers.log").open("wb")
    except OSError as fault:
        raise SettingsError(
            f"cannot be written ({fault.strerror})", where=str(home), do="Choose another --home."
        ) from fault
    with file:
        yield file


def openenv_python(given: Path | None, checkout: Path) -> Path:
    """Return the interpreter named, else that of the checkout, else ours if it has openenv.

    Raises:
        SettingsError: there is none.
    """
    if given:
        return given
    made = checkout / SERVERS
    if made.exists():
        return made
    if importlib.util.find_spec("openenv") is not None:
        return Path(sys.executable)
    raise SettingsError(
        "no interpreter with openenv is here",
        where="--python",
        do="Run `make servers`, or name one.",
    )
