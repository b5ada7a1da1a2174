"""Where in a repository a finding is shown: tools that want a file get the manifest."""

import re
from urllib.parse import quote

from reports.lines import Line, to_do
from reports.model import CheckResult, Report

USUAL = "openenv.yaml"
"""Every package of OpenEnv has one."""
MOST_CHARACTERS = 1000
"""Of a path; a longer one is none."""

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""A drive, or the scheme of an address."""

_NAMED = re.compile(r"`([a-z_]+(?:\.[a-z_]+)*)(?=[:`])")


def manifest_path(report: Report) -> str:
    """Return the path of the manifest, as the user named it, with forward slashes."""
    path = report.manifest_file.replace("\\", "/").removeprefix("./")
    outside = path.startswith("/") or ".." in path.split("/") or _ELSEWHERE.match(path)
    strange = len(path) > MOST_CHARACTERS or not path.isprintable()
    return path if path and not outside and not strange else USUAL


def manifest_uri(report: Report) -> str:
    """Return the same as a relative address, its unusual characters written as octets."""
    return quote(manifest_path(report), safe="/")


def manifest_line(report: Report, line: Line) -> int:
    """Return the line of the manifest that a finding is shown at.

    That of the first field which it names, as `field` or `block.field`; else that of our block,
    where one may be added; else the first.
    """
    told = [line.reason, to_do(line)]
    if isinstance(line, CheckResult):
        told += [text for one in line.findings for text in (one.do, one.expected, one.claim)]
    places = {name.split(".")[-1]: at for name, at in reversed(report.manifest_lines.items())}
    for name in _NAMED.findall("\n".join(told)):
        found = report.manifest_lines.get(name) or places.get(name.split(".")[-1])
        if found is not None:
            return found
    return report.manifest_lines.get("envassay", 1)
