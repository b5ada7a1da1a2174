"""Flags for the formats that reports are written in."""

import argparse

from validator.cli.write import Wanted

FORMATS = {
    "json": "write the report there too; - for the output",
    "markdown": "the same as Markdown",
    "junit": "as JUnit XML, one test per check",
    "sarif": "as SARIF 2.1.0",
    "github-summary": "as a step summary of GitHub Actions; appended where the file exists",
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
