"""JUnit XML: one test for each line of the verdict, as CI systems read it."""

from typing import ClassVar
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from reports.lines import Line, effect, named, to_do
from reports.model import CheckResult, Report
from reports.safe import plain

SUITE = "envassay"


class Junit:
    """What fails the gate is a failure; what it only warns of, or notes, is a passed test's output.

    An open question is a skipped test, unless the policy demands that it be decided.
    """

    suffix: ClassVar[str] = ".junit.xml"

    def write(self, report: Report) -> str:
        counts = {"failures": 0, "errors": 0, "skipped": 0}
        cases = [_case(name, line, report, counts) for name, line in named(report)]
        totals = {"tests": str(len(cases)), **{name: str(n) for name, n in counts.items()}}
        seconds = f"{report.times.seconds:.3f}"
        root = Element("testsuites", {"name": SUITE, "time": seconds, **_without_skips(totals)})
        suite = SubElement(
            root,
            "testsuite",
            {
                "name": plain(f"{SUITE} {report.target.name}"),
                "timestamp": plain(report.times.started_at[:19]),
                "hostname": plain(report.target.url),
                "time": seconds,
                **totals,
            },
        )
        properties = SubElement(suite, "properties")
        for name, value in (
            ("verdict", report.verdict.status),
            ("policy", f"{report.verdict.policy} {report.verdict.policy_version}"),
            ("envassay", report.tool.version),
            ("fingerprint", report.target.fingerprint),
        ):
            SubElement(properties, "property", {"name": name, "value": plain(value)})
        suite.extend(cases)
        indent(root)
        return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _without_skips(totals: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in totals.items() if name != "skipped"}


def _case(name: str, line: Line, report: Report, counts: dict[str, int]) -> Element:
    group = line.id.partition(".")[0] if isinstance(line, CheckResult) else line.kind
    case = Element("testcase", {"classname": f"{SUITE}.{group}", "name": plain(name), "time": "0"})
    found = effect(line, report.verdict)
    said = {"message": plain(line.reason), "type": line.severity}
    if line.status == "error":
        counts["errors"] += 1
        SubElement(case, "error", said).text = _told(line)
    elif found == "fails":
        counts["failures"] += 1
        SubElement(case, "failure", said).text = _told(line)
    elif line.status == "skip":
        counts["skipped"] += 1
        SubElement(case, "skipped", {"message": plain(line.reason)})
    elif found != "holds":
        SubElement(case, "system-out").text = f"{found}: {plain(line.reason)}\n{_told(line)}"
    return case


def _told(line: Line) -> str:
    """Return what was found, in the six fields of a finding."""
    if isinstance(line, CheckResult) and line.findings:
        return "\n\n".join(
            "\n".join(
                f"{name:<10} {plain(text, 1000)}" for name, text in finding.model_dump().items()
            )
            for finding in line.findings
        )
    return plain(to_do(line) or line.reason)
