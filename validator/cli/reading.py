"""Reads a report file that a user names."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from validator.errors import SettingsError
from validator.operator_file import read_text

if TYPE_CHECKING:
    from pydantic import ValidationError

    from reports.merging import ForeignReport
    from reports.model import Report
    from validator.baseline import Baseline
    from validator.client.frames import Json
    from validator.rollouts.earlier import Earlier
    from validator.settings import Settings
    from validator.table import EpisodeTable

MOST_REPORT_BYTES = 256 * 2**20
NAMED = "Name a report.json, or a URL with its scheme."
FOREIGN = "Name the file that `openenv validate --json --output FILE` wrote."


def read_report(path: Path) -> "Report":
    """Return the report in a file.

    Raises:
        SettingsError: it cannot be read, is no report of this version, or its evidence is not
            what its hash says.
    """
    from pydantic import ValidationError

    from reports.model import load
    from reports.signing import is_intact

    text = read_text(path, most=MOST_REPORT_BYTES, do=NAMED)
    try:
        report = load(text)
    except ValidationError as fault:
        raise SettingsError(
            f"is no report of this version{_of_another(fault)}",
            where=str(path),
            do="Validate the target again.",
        ) from fault
    if not is_intact(report):
        raise SettingsError(
            "was changed: its evidence is not what its hash says"
            if report.evidence_hash
            else "was changed: the hash of its evidence is gone",
            where=str(path),
            do="Take the report as the run wrote it, or validate the target again.",
        )
    return report


def read_foreign(path: Path) -> "ForeignReport":
    """Return a report of `openenv validate`.

    Raises:
        SettingsError: it cannot be read, or is none.
    """
    from pydantic import ValidationError

    from reports.merging import load_foreign

    text = read_text(path, most=MOST_REPORT_BYTES, do=FOREIGN)
    try:
        return load_foreign(text)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        at = ".".join(str(part) for part in first["loc"]) or "it"
        raise SettingsError(
            f"is no report of `openenv validate` ({at}: {first['msg'][:1].lower()}"
            f"{first['msg'][1:]})",
            where=str(path),
            do=FOREIGN,
        ) from fault


def _of_another(fault: "ValidationError") -> str:
    """Return which version a report says it is of, or what is wrong with one of this version."""
    first = fault.errors(include_url=False, include_context=False)
    if not first:
        return ""
    at = ".".join(str(part) for part in first[0]["loc"])
    for one in first:
        if one["loc"] == ("report_version",):
            return f" (report_version is {one['input']!r:.20})"
    return f" ({at or 'it'}: {first[0]['msg'][:1].lower()}{first[0]['msg'][1:]})"


def read_baseline(path: Path) -> "Baseline":
    """Return an earlier report, named by its file or by the folder of its run.

    What the run kept beside it is read along, where that is still the same run's.

    Raises:
        SettingsError: there is no report of this version, or what lies beside it is broken.
    """
    from validator.baseline import Baseline
    from validator.cli.places import REPORT

    file = path / REPORT if path.is_dir() else path
    report = read_report(file)
    if not _is_run_of(report, file.parent):
        return Baseline(report=report)
    return Baseline(report=report, served=_served(file.parent), table=_episodes(file.parent))


MOST_EARLIER = 8
"""Runs of one target that are looked at for episodes."""


def read_earlier(
    folders: Sequence[Path], settings: "Settings", *, named: bool
) -> "tuple[Earlier, ...]":
    """Return those finished runs that were told the same, as far as it decides how one plays.

    Raises:
        SettingsError: `named` is true, and the one folder holds no such run.
    """
    from validator.cli.places import REPORT
    from validator.recording import EPISODES, read_told, told_of
    from validator.rollouts.earlier import PLAYS, Earlier

    wanted = json.loads(json.dumps(told_of(settings)))
    found: list[Earlier] = []
    for folder in folders:
        try:
            told, report = read_told(folder), read_report(folder / REPORT)
        except SettingsError:
            if named:
                raise
            continue
        differs = [name for name in PLAYS if told.get(name) != wanted[name]]
        if named and differs:
            raise SettingsError(
                f"was told another {differs[0]}: its episodes are none of this run",
                where=str(folder),
                do="Give the flags of that run, or leave the folder out.",
            )
        if not differs and (folder / EPISODES).is_dir() and len(found) < MOST_EARLIER:
            found.append(Earlier(report=report, episodes=folder / EPISODES))
    return tuple(found)


def _is_run_of(report: "Report", folder: Path) -> bool:
    from validator.recording import read_told

    try:
        told = read_told(folder)
    except SettingsError:
        return False
    keys = {"fingerprint": report.target.fingerprint, "seed": report.settings.seed}
    return all(told.get(name) == value for name, value in keys.items())


def _served(folder: Path) -> "dict[str, Json] | None":
    from validator.recording import SERVED

    try:
        found = json.loads((folder / SERVED).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _episodes(folder: Path) -> "EpisodeTable":
    from validator.recording import episodes_of
    from validator.table import EpisodeTable

    path = episodes_of(folder)
    try:
        return EpisodeTable.of(path)
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise SettingsError(
            f"its episodes cannot be read ({type(fault).__name__})",
            where=str(path),
            do="Name the report alone, copied out of the folder, to compare without them.",
        ) from fault
