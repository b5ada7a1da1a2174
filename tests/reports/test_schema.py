"""The schema in the repository is the one the reports follow."""

import json

import jsonschema
import pytest

from reports import schema
from reports.model import Report, dump, load
from tests.reports.builders import everything


def test_the_file_is_the_generated_one() -> None:
    assert schema.FILE.read_text("utf-8") == schema.text(), "run `python -m reports.schema`"


@pytest.mark.parametrize("report", everything(), ids=lambda report: report.target.url)
def test_reports_follow_it_and_come_back_equal(report: Report) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema.text()))
    validator.validate(json.loads(dump(report)))
    assert load(dump(report)) == report


def test_it_refuses_what_is_no_report() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema.text()))
    document = json.loads(dump(everything()[0]))
    document["verdict"]["status"] = "great"
    assert [error.json_path for error in validator.iter_errors(document)] == ["$.verdict.status"]
