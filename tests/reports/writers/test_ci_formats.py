"""What CI systems read: held to their own schemas and parsers, and to the gate's verdict."""

import io
import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import junitparser
import pytest
import xmlschema
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SarifLog

from reports.lines import effect, lines_of, reason_of
from reports.model import Finding, Report, Rule
from reports.writers.github_annotations import MOST, GithubAnnotations
from reports.writers.github_summary import GithubSummary
from reports.writers.gitlab import Gitlab
from reports.writers.junit import Junit
from reports.writers.markdown import Markdown
from reports.writers.sarif import Sarif
from tests.reports.builders import HOSTILE, check, everything, worth_training
from validator.policy.judge import judge
from validator.policy.model import Policy, read_policy
from validator.policy.rules import Waiver

XSD = xmlschema.XMLSchema(str(Path(__file__).with_name("schemas") / "junit-10.xsd"))
JUDGED = [judge(report, read_policy("hub")) for report in everything()]
reports = pytest.mark.parametrize("report", JUDGED, ids=["fails", "open", "healthy", "hostile"])


def counts(report: Report) -> dict[str, int]:
    effects = [effect(line, report.verdict) for line in lines_of(report)]
    return {name: effects.count(name) for name in ("fails", "warns", "noted", "waived", "holds")}


@reports
def test_junit_is_what_jenkins_reads_and_counts_as_the_gate_does(report: Report) -> None:
    text = Junit().write(report)
    XSD.validate(io.StringIO(text))
    [suite] = junitparser.JUnitXml.fromstring(text.encode())
    errors = sum(line.status == "error" for line in lines_of(report))
    assert suite.tests == len(lines_of(report))
    assert (suite.failures, suite.errors) == (counts(report)["fails"] - errors, errors)
    assert (suite.failures + suite.errors > 0) == (report.verdict.exit_code == 1)
    assert suite.skipped == sum(line.status == "skip" for line in lines_of(report))


def test_junit_tells_the_six_fields_of_a_finding() -> None:
    [suite] = junitparser.JUnitXml.fromstring(Junit().write(JUDGED[0]).encode())
    [case] = [case for case in suite if case.name == "semantic.floor_gap"]
    [failure] = case.result
    assert failure.message == "doing nothing earns 0.94"
    words = [line.split()[0] for line in failure.text.splitlines()]
    assert words == ["claim", "saw", "expected", "where", "reproduce", "do"]


@reports
def test_sarif_follows_the_schema_and_points_into_the_manifest(report: Report) -> None:
    named = report.model_copy(update={"manifest_file": "envs/maze/envassay.yaml"})
    document = json.loads(Sarif().write(named))
    SarifLog.model_validate(document)
    [run] = document["runs"]
    found = counts(report)
    levels = [result["level"] for result in run["results"]]
    assert levels.count("error") == found["fails"]
    assert levels.count("warning") == found["warns"]
    assert levels.count("note") == found["noted"] + found["waived"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert place == "envs/maze/envassay.yaml"
    assert run["invocations"][0]["exitCode"] == report.verdict.exit_code


@pytest.mark.parametrize("path", ["my envs/a#b?c.yaml", "%2e%2e/%2e%2e/x.yaml", "ünï/ω.yaml"])
def test_sarif_names_the_manifest_by_an_address_that_leads_to_it(path: str) -> None:
    document = json.loads(Sarif().write(JUDGED[0].model_copy(update={"manifest_file": path})))
    [place] = document["runs"][0]["results"][0]["locations"]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    parts = urlsplit(uri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
    assert uri.isascii()
    assert " " not in uri
    assert ".." not in uri
    assert unquote(uri) == path


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../x.yaml",
        "a/../../x",
        "..\\x",
        "C:/x",
        "c:x",
        "https://x.test/y",
        "file:x",
        "",
    ],
)
def test_a_path_outside_the_repository_is_not_told(path: str) -> None:
    document = json.loads(Sarif().write(JUDGED[0].model_copy(update={"manifest_file": path})))
    place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "openenv.yaml"


def test_a_waived_failure_is_suppressed_in_sarif() -> None:
    report = worth_training().model_copy(update={"results": [check("runtime.startup", "fail")]})
    waiver = Waiver.model_validate(
        {"check": "runtime.startup", "reason": "known", "owner": "ops", "expires": "2030-01-01"}
    )
    policy = Policy(name="p", version="1", severities={"runtime.startup": "fail"}, waivers=[waiver])
    document = json.loads(Sarif().write(judge(report, policy)))
    SarifLog.model_validate(document)
    [result] = document["runs"][0]["results"]
    assert result["suppressions"] == [
        {"kind": "external", "justification": "known, until 2030-01-01, by ops"}
    ]


@reports
def test_gitlab_gets_the_fields_that_it_reads(report: Report) -> None:
    issues = json.loads(Gitlab().write(report))
    found = counts(report)
    severities = [issue["severity"] for issue in issues]
    assert severities.count("blocker") == found["fails"]
    assert severities.count("minor") == found["warns"]
    assert set(severities) <= {"info", "minor", "major", "critical", "blocker"}
    fingerprints = [issue["fingerprint"] for issue in issues]
    assert len(set(fingerprints)) == len(fingerprints)
    for issue in issues:
        assert issue.keys() == {
            "description", "check_name", "fingerprint", "severity", "location"
        }  # fmt: skip
        assert issue["location"] == {"path": "openenv.yaml", "lines": {"begin": 1}}


@reports
def test_an_environment_cannot_write_commands_of_the_runner(report: Report) -> None:
    text = GithubAnnotations().write(report)
    for line in text.splitlines():
        assert re.match(r"::(error|warning|notice) file=openenv\.yaml,line=1,title=[^:,]*::", line)
    assert text.count("::error ") == min(MOST, counts(report)["fails"])
    assert "\x1b" not in text


def test_percent_signs_are_escaped_for_the_runner() -> None:
    results = [check("runtime.startup", "fail", reason="50%0A::set-env name=x::y\n::error::z")]
    report = worth_training().model_copy(update={"results": results})
    policy = Policy(name="p", version="1", severities={"runtime.startup": "fail"})
    text = GithubAnnotations().write(judge(report, policy))
    assert text.count("\n") == 1
    assert "50%250A::set-env" in text


@reports
def test_the_summary_names_what_fails_and_is_harmless(report: Report) -> None:
    text = GithubSummary().write(report)
    assert text.count("❌ fails") == counts(report)["fails"]
    assert text.splitlines()[0] == Markdown().write(report).splitlines()[0]
    table = text.partition("| | line |")[2].partition("\n\n")[0]
    assert "<script>" not in table
    assert HOSTILE not in table


def test_lines_of_one_name_stay_apart_in_every_format() -> None:
    rules = [
        Rule(
            kind="baseline", name="scores", severity="fail", status="fail", reason=f"harder {rung}"
        )
        for rung in ("null", "blind", "reactive")
    ]
    report = worth_training()
    verdict = report.verdict.model_copy(
        update={"status": "fail", "rules": rules, "reasons": [reason_of(one) for one in rules]}
    )
    report = report.model_copy(update={"verdict": verdict})
    names = ["baseline scores", "baseline scores (2)", "baseline scores (3)"]
    [suite] = ElementTree.fromstring(Junit().write(report))
    cases = [case.get("name") for case in suite.iter("testcase")]
    assert cases[-3:] == names
    assert len({one["fingerprint"] for one in json.loads(Gitlab().write(report))}) == 3
    [run] = json.loads(Sarif().write(report))["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(ids)) == len(ids)
    assert [ids[one["ruleIndex"]] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]
    prints = {one["partialFingerprints"]["line/v1"] for one in run["results"]}
    assert len(prints) == len(run["results"]) == 3


def test_a_time_that_is_none_breaks_no_xml() -> None:
    report = worth_training()
    strange = report.times.model_copy(update={"started_at": "\x00\x1b<now>"})
    ElementTree.fromstring(Junit().write(report.model_copy(update={"times": strange})))


def test_the_summary_counts_what_changes_nothing() -> None:
    open_ones = [check(f"a.{name}", "skip", "advisory") for name in ("b", "c")]
    report = worth_training()
    report = report.model_copy(update={"results": [check("runtime.startup"), *open_ones]})
    text = GithubSummary().write(report)
    assert "1 of 3 lines hold. 2 open questions changed nothing." in text
    assert "| a.b |" not in text


LINES = {"envassay": 3, "envassay.score": 4, "envassay.score_range": 5, "validation": 9}


@pytest.mark.parametrize(
    ("do", "at"),
    [
        ("Pay less, or declare `score_range: [0, 2]`.", 5),
        ("Correct `envassay.score`.", 4),
        ("Declare `stochastic: true`.", 3),
        ("Keep the reward finite.", 3),
    ],
)
def test_a_finding_is_shown_at_the_field_it_names(do: str, at: int) -> None:
    finding = Finding(claim="c", saw="s", expected="e", where="w", reproduce="r", do=do)
    failed = check("runtime.startup", "fail", reason="r", findings=[finding])
    report = worth_training().model_copy(
        update={"results": [failed], "manifest_file": "pkg/envassay.yaml", "manifest_lines": LINES}
    )
    report = judge(report, Policy(name="p", version="1", severities={"runtime.startup": "fail"}))
    [result] = json.loads(Sarif().write(report))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "pkg/envassay.yaml"}, "region": {"startLine": at}
    }  # fmt: skip
    [issue] = json.loads(Gitlab().write(report))
    assert issue["location"] == {"path": "pkg/envassay.yaml", "lines": {"begin": at}}
    assert f"file=pkg/envassay.yaml,line={at}," in GithubAnnotations().write(report)
