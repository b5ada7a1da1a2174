"""Writes to the terminal: what was asked for on the output, everything else on the error stream.

Text of environments goes through `reports.safe`, so that it cannot move the cursor, set the
title or paint a verdict.
"""

import os
import sys
from typing import IO, TYPE_CHECKING, Any, cast

from validator.errors import SettingsError

if TYPE_CHECKING:
    from rich.console import Console


class _Output:
    """The output. Where its reader has gone the command goes on: its files and its code count."""

    def write(self, text: str) -> int:
        """Write, and say that all was written."""
        try:
            return sys.stdout.write(text)
        except OSError as fault:
            _lost(fault)
            return len(text)

    def flush(self) -> None:
        try:
            sys.stdout.flush()
        except OSError as fault:
            _lost(fault)

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stdout, name)


def _lost(fault: OSError) -> None:
    """Let what is still to be written go nowhere.

    Raises:
        SettingsError: it was not the reader who went.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    if not isinstance(fault, BrokenPipeError):
        raise SettingsError(
            f"cannot be written ({fault.strerror})",
            where="the output",
            do="Send it where there is room.",
        ) from fault


def say(text: str) -> None:
    """Write text on the output as it is.

    Raises:
        SettingsError: there is no room for it.
    """
    output = _Output()
    output.write(text)
    output.flush()


def output() -> "Console":
    """Return the console for what the user asked for."""
    from rich.console import Console

    file = cast(IO[str], _Output())
    return Console(file=file, highlight=False, markup=False, emoji=False, soft_wrap=False)


def errors() -> "Console":
    """Return the console for progress and notes."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=False)


def note(text: str) -> None:
    """Write one line beside the output."""
    from reports.safe import terminal

    _line(terminal(text, 2000))


def complain(text: str) -> None:
    """Write the one line that ends a run."""
    from reports.safe import terminal

    _line(f"envassay: {terminal(text, 2000)}")


def _line(text: str) -> None:
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads any more
        return
