"""Reads a report file that a user names."""

from pathlib import Path
from typing import TYPE_CHECKING

from validator.errors import SettingsError

if TYPE_CHECKING:
    from reports.model import Report

MOST_REPORT_BYTES = 256 * 2**20


def read_report(path: Path) -> "Report":
    """Return the report in a file.

    Raises:
        SettingsError: it cannot be read, or is no report of this version.
    """
    from pydantic import ValidationError

    from reports.model import load

    try:
        if path.stat().st_size > MOST_REPORT_BYTES:
            raise SettingsError("is too large", where=str(path), do="Name a report of envassay.")
        return load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(
            f"cannot be read ({type(fault).__name__})",
            where=str(path),
            do="Name a report.json, or a URL with its scheme.",
        ) from fault
    except ValidationError as fault:
        raise SettingsError(
            "is no report of this version", where=str(path), do="Validate the target again."
        ) from fault
