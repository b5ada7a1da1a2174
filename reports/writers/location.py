"""Where in a repository a finding is shown: tools that want a file get the manifest."""

from reports.model import Report

USUAL = "openenv.yaml"
"""Every package of OpenEnv has one."""


def manifest_path(report: Report) -> str:
    """Return the path of the manifest, as the user named it, with forward slashes."""
    path = report.manifest_file.replace("\\", "/").removeprefix("./")
    outside = path.startswith("/") or ".." in path.split("/")
    return path if path and not outside else USUAL
