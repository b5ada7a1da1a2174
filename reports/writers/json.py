"""The report document itself, whole: what every other format is written from."""

from typing import ClassVar

from reports.model import Report, dump


class Json:
    """The document that `report.schema.json` describes."""

    suffix: ClassVar[str] = ".json"

    def write(self, report: Report) -> str:
        return dump(report)
