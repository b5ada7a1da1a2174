"""One line of a comparison with an earlier report."""

from reports.model import Rule, Severity, Status


def compared(  # noqa: PLR0913 - one argument for each part of a line
    name: str, severity: Severity, status: Status, reason: str, needed: str = ""
) -> Rule:
    """Return a line of the kind `baseline`."""
    return Rule(
        kind="baseline", name=name, severity=severity, status=status, reason=reason, needed=needed
    )
