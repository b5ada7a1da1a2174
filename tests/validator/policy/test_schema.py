"""The schema in the repository is the one that policies follow."""

import json
import tomllib
from typing import Any

import jsonschema
import pytest

from validator.policy import schema
from validator.policy.model import shipped_policies

FILES = schema.FILE.parent / "files"


def faults(document: dict[str, Any]) -> list[str]:
    validator = jsonschema.Draft202012Validator(json.loads(schema.text()))
    # TOML knows days, JSON writes them as text
    as_json = json.loads(json.dumps(document, default=str))
    return [error.json_path for error in validator.iter_errors(as_json)]


def test_the_file_is_the_generated_one() -> None:
    assert schema.FILE.read_text("utf-8") == schema.text(), (
        "run `python -m validator.policy.schema`"
    )


@pytest.mark.parametrize("name", shipped_policies())
def test_shipped_policies_follow_it(name: str) -> None:
    assert faults(tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"name": "x", "version": "1"}, "$"),
        ({"name": "x", "version": "1", "severities": {"a.b": "fatal"}}, "$.severities['a.b']"),
        ({"name": "x", "version": "1", "severities": {}, "severe": 1}, "$"),
        (
            {"name": "x", "version": "1", "severities": {}, "rules": {"undecided": "pass"}},
            "$.rules.undecided",
        ),
    ],
)
def test_it_refuses_what_is_none(document: dict[str, Any], where: str) -> None:
    assert faults(document) == [where]
