"""Writes to the terminal: what was asked for on the output, everything else on the error stream.

Text of environments goes through `reports.safe`, so that it cannot move the cursor, set the
title or paint a verdict.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def output() -> "Console":
    """Return the console for what the user asked for."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=False)


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
