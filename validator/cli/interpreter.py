"""Finds the interpreter that has openenv: what is validated never shares ours."""

import importlib.util
import sys
from pathlib import Path

from validator.errors import SettingsError

SERVERS = Path(".servers/openenv-0.10.0/bin/python")


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
