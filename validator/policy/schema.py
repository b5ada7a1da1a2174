"""Writes the JSON Schema of policy files: `python -m validator.policy.schema`."""

import json
from pathlib import Path

from validator.policy.model import Policy

FILE = Path(__file__).with_name("policy.schema.json")


def text() -> str:
    """Return the schema as the file must hold it.

    A policy that extends another may leave out whatever that one says, so that only its name and
    version are always there.
    """
    found = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    found |= Policy.model_json_schema(mode="validation")
    document = found | {
        "required": ["name", "version"],
        "anyOf": [{"required": ["severities"]}, {"required": ["extends"]}],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
