"""Reads the operator's own files of one JSON object a line."""

from collections.abc import Iterator
from pathlib import Path

from validator.client.frames import Json, parse
from validator.errors import SettingsError

MOST_BYTES = 64 * 2**20


def read_lines(path: Path) -> Iterator[tuple[int, Json]]:
    """Yield the values of a file with the numbers of their lines; empty lines are left out.

    Raises:
        SettingsError: it cannot be read, is too large, or a line is no JSON; the line is named.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise SettingsError(
            f"cannot be read ({fault.strerror})", where=str(path), do="Check the manifest's paths."
        ) from fault
    if len(raw) > MOST_BYTES:
        raise SettingsError("is larger than 64 MiB", where=str(path), do="Give fewer lines.")
    for number, line in enumerate(raw.splitlines(), start=1):
        if line.strip():
            try:
                yield number, parse(line.decode("utf-8"))
            except ValueError as fault:
                raise SettingsError(
                    f"line {number} is no JSON", where=str(path), do="Write one object a line."
                ) from fault
