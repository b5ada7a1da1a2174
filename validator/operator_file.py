"""Reads a file that the operator names: only so much of it, whatever it turns out to be."""

from pathlib import Path

from validator.errors import SettingsError


def read_file(path: Path, *, most: int, do: str) -> bytes:
    """Return the bytes of a file.

    No more than `most` are ever read, so that a link to an endless device is refused as well: a
    repository that is checked out may hold one.

    Args:
        path: A file, or a pipe.
        most: Bytes that it may hold.
        do: What to do where it cannot be used.

    Raises:
        SettingsError: it cannot be read, or is larger.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as fault:
        raise SettingsError(f"cannot be read ({fault.strerror})", where=str(path), do=do) from fault
    if len(raw) > most:
        raise SettingsError(f"is larger than {_size(most)}", where=str(path), do=do)
    return raw


def read_text(path: Path, *, most: int, do: str) -> str:
    """Return the same as text, without the mark that some editors begin a file with.

    Raises:
        SettingsError: it cannot be read, is larger, or is not UTF-8.
    """
    try:
        return read_file(path, most=most, do=do).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise SettingsError("is not UTF-8", where=str(path), do=do) from fault


def _size(most: int) -> str:
    return f"{most // 2**20} MiB" if most >= 2**20 else f"{most // 2**10} KiB"
