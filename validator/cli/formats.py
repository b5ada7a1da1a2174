"""Flags for the formats that reports are written in."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.write import Wanted
from validator.manifest_lines import field_lines

if TYPE_CHECKING:
    from reports.model import Report

FORMATS = {
    "json": "write the report there too; - for the output",
    "markdown": "the same as Markdown",
    "html": "the same as one page that needs no network",
    "badge": "the verdict as a small SVG",
    "junit": "as JUnit XML, one test per check",
    "sarif": "as SARIF 2.1.0",
    "github-summary": "as a step summary of GitHub Actions",
    "gitlab": "as GitLab's code quality report",
}
"""Flag, which is the writer's name, by what it is for."""


def add_formats(out: "argparse._ArgumentGroup") -> None:
    """Add a flag for each format."""
    for name, what in FORMATS.items():
        out.add_argument(f"--{name}", metavar="FILE", help=what)


def wanted_of(args: argparse.Namespace) -> Wanted:
    """Return the files that the flags name.

    Raises:
        SettingsError: one cannot be written.
    """
    return Wanted.of(**{name: getattr(args, name.replace("-", "_")) for name in FORMATS})


def beside(report: "Report", manifest: Path | None) -> "Report":
    """Return the report with the place of the manifest, which findings are shown beside."""
    if manifest is None:
        return report
    lines = field_lines(manifest)
    return report.model_copy(
        update={"manifest_file": _from_here(manifest), "manifest_lines": lines}
    )


def _from_here(manifest: Path) -> str:
    """Return a path as it is seen from the working folder, as given where it lies outside."""
    seen = os.path.relpath(manifest)
    return str(manifest) if seen.startswith("..") else seen
