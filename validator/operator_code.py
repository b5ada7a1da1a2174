"""Loads a function of the operator's own: code that runs here, never what a server sends."""

import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from validator.errors import SettingsError

LONGEST = 200
"""Characters of a fault's text that are shown."""


def load_function(folder: Path, spelled: str) -> Callable[[Any, Any, int], Any]:
    """Return the function that `FILE.py:NAME` names, its file taken from `folder`.

    Raises:
        SettingsError: there is none, its file does not run, or it does not take
            (observation, task, step).
    """
    file, colon, name = spelled.rpartition(":")
    if not colon or not file.endswith(".py") or not name.isidentifier():
        raise SettingsError(
            f"{spelled!r:.120} names no function",
            where="oracle.policy",
            do="Write FILE.py:FUNCTION, the file beside the manifest.",
        )
    path = folder / file
    found = getattr(_load(path), name, None)
    if found is None:
        raise SettingsError(
            f"has no {name!r}", where=str(path), do="Name a function that it defines."
        )
    if not callable(found) or inspect.iscoroutinefunction(found) or not _takes_three(found):
        raise SettingsError(
            f"{name!r} is no function of (observation, task, step)",
            where=str(path),
            do=f"Define `def {name}(observation, task, step)`, not async, that returns an action.",
        )
    return found  # type: ignore[no-any-return]


def _load(path: Path) -> ModuleType:
    """Run a file as a module; files beside it can be imported by it meanwhile."""
    if not path.is_file():
        raise SettingsError("is no file", where=str(path), do="Check the manifest's paths.")
    spec = importlib.util.spec_from_file_location(f"envassay_oracle_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        told = " ".join(f"{type(fault).__name__}: {fault}".split())[:LONGEST]
        raise SettingsError(
            f"does not run: {told}", where=str(path), do="Make it import without an error."
        ) from fault
    finally:
        sys.path.remove(str(path.parent))
    return module


def _takes_three(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind(None, None, 0)
    except (TypeError, ValueError):
        return False
    return True
