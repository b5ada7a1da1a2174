"""Reads a file of targets: one a line, its address and, where there is one, its manifest."""

from dataclasses import dataclass
from pathlib import Path

from validator.client.address import read_address
from validator.errors import SettingsError, TargetError

MOST_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One target of a list."""

    url: str
    manifest: Path | None = None
    """Relative to the list's folder as written, here joined to it."""


def read_targets(path: Path) -> tuple[Listed, ...]:
    """Return the targets of a file, in its order, each once.

    A line is an address, optionally followed by white space and the path of a manifest. Empty
    lines and those that begin with `#` are left out.

    Raises:
        SettingsError: the file cannot be read, or a line of it is no target.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(
            f"cannot be read ({type(fault).__name__})",
            where=str(path),
            do="Name a report.json, a list of targets, or a URL with its scheme.",
        ) from fault
    if len(text) > MOST_BYTES:
        raise SettingsError("is too large", where=str(path), do="Split it.")
    found: dict[str, Listed] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        listed = _line(line, path, number)
        if (other := found.setdefault(listed.url, listed)) != listed:
            raise SettingsError(
                f"{other.url} is listed with two manifests",
                where=f"{path}, line {number}",
                do="Name each target once.",
            )
    if not found:
        raise SettingsError("names no target", where=str(path), do="Write one address a line.")
    return tuple(found.values())


def _line(line: str, path: Path, number: int) -> Listed:
    url, *rest = line.split(maxsplit=1)
    where = f"{path}, line {number}"
    try:
        read_address(url)
    except TargetError as fault:
        raise SettingsError(fault.what, where=where, do=fault.do) from fault
    manifest = path.parent / rest[0].strip() if rest else None
    if manifest is not None and not manifest.is_file():
        raise SettingsError(
            f"the manifest {manifest} is not there", where=where, do="Correct its path."
        )
    return Listed(url=url, manifest=manifest)
