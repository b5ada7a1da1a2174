"""Report in, text out."""

from typing import ClassVar, Protocol

from reports.model import Report


class Writer(Protocol):
    """One format. The entry-point group `envassay.writers` names factories of these."""

    suffix: ClassVar[str]
    """Ending of a file in this format, with its dot."""

    def write(self, report: Report) -> str:
        """Return the whole report as text of this format, ending in a newline."""
        ...
