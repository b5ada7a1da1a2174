"""Writes the JSON Schema of the report document: `python -m reports.schema`."""

import json
from pathlib import Path

from reports.model import json_schema

FILE = Path(__file__).with_name("report.schema.json")


def text() -> str:
    """Return the schema as the file must hold it."""
    found = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | json_schema()
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
