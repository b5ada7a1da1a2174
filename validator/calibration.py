"""What a labelled environment says of the validator: found, missed, false alarms."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from reports.model import Report
from validator.errors import SettingsError
from validator.manifest import Manifest, parse_manifest

if TYPE_CHECKING:
    from validator.tiers import HarnessBlock

AGENT = "agent.py"
"""What plays a solver as a harness, in the folder of the suite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One environment of the suite and what is known of it."""

    name: str
    """Class and name: `seed/seed_dropped`."""
    must: frozenset[str]
    """Checks that must fail; empty for a healthy one."""
    may: frozenset[str]
    """Checks that may fail because of the same defect."""
    manifest: Manifest
    twin: str = ""
    """Environment of the suite that is its second server; empty where it has none."""
    baseline: str = ""
    """Environment whose report it is held against; empty where there is none."""
    harnesses: Mapping[str, "HarnessBlock"] = field(default_factory=dict)
    """Agents of known strength that play it, by name."""

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One environment as it was judged."""

    labelled: Labelled
    missed: frozenset[str]
    """Checks that should have failed and did not."""
    alarms: frozenset[str]
    """Checks that failed, or broke, and should not have."""
    questions: frozenset[str]
    """Checks that asked the author what no label says."""
    seconds: float
    reasons: Mapping[str, str]
    """Status and reason of each check that was missed or a false alarm."""

    @property
    def right(self) -> bool:
        return not self.missed and not self.alarms


def read_labelled(path: Path, name: str) -> Labelled:
    """Read the label file of one environment.

    Raises:
        SettingsError: it cannot be read, or its manifest is malformed.
    """
    try:
        found: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
        labels = found["labels"]
        must, may = (frozenset(labels.get(key) or ()) for key in ("must", "may"))
    except (OSError, yaml.YAMLError, KeyError, TypeError, AttributeError) as fault:
        raise SettingsError(
            f"is no label file ({type(fault).__name__})",
            where=str(path),
            do="See tests/calibration/README.md.",
        ) from fault
    return Labelled(
        name=name,
        must=must,
        may=may,
        twin=str(found.get("twin") or ""),
        baseline=str(found.get("baseline") or ""),
        manifest=parse_manifest(found.get("manifest") or {}, where=str(path), folder=path.parent),
        harnesses=_harnesses(found.get("harnesses") or {}, path),
    )


def _harnesses(found: Any, path: Path) -> "Mapping[str, HarnessBlock]":
    """Return the agents of `NAME: {solver: FILE:FUNCTION, starts: N, repeats: N}`."""
    from validator.tiers import HarnessBlock

    try:
        return {
            str(name): HarnessBlock(
                command=[
                    sys.executable,
                    str(path.resolve().parents[1] / AGENT),
                    str((path.parent / block["solver"]).resolve()),
                ],
                starts=block["starts"],
                repeats=block["repeats"],
            )
            for name, block in found.items()
        }
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise SettingsError(
            f"has harnesses that cannot be read ({type(fault).__name__})",
            where=str(path),
            do="Give each a solver, starts and repeats.",
        ) from fault


def first_of_each(chosen: Iterable[Labelled], most: int) -> list[Labelled]:
    """Return the first faulty and the first healthy environments of each class, in their order."""
    taken: dict[tuple[str, bool], int] = {}
    kept = []
    for one in chosen:
        kind = (one.group, bool(one.must))
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= most:
            kept.append(one)
    return kept


def judge(labelled: Labelled, report: Report, seconds: float) -> Judged:
    """Compare a report with the labels.

    A defect counts as found where its check fails, be it with a question to the author, whose
    declaration would settle it. A question that no label names is counted beside the false
    alarms: it changes no verdict. A check that breaks is always a false alarm.
    """
    results = {result.id: result for result in report.results}
    asked = {r.id for r in report.results if r.status == "fail" and r.question}
    failed = {r.id for r in report.results if r.status == "fail"} - asked
    broke = {r.id for r in report.results if r.status == "error"}
    missed = labelled.must - failed - asked
    alarms = (failed - labelled.must - labelled.may) | broke
    return Judged(
        labelled=labelled,
        missed=frozenset(missed),
        alarms=frozenset(alarms),
        questions=frozenset(asked - labelled.must - labelled.may),
        seconds=seconds,
        reasons={
            name: f"{results[name].status}: {results[name].reason}"
            if name in results
            else "not reported"
            for name in sorted(missed | alarms)
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """How a class of environments was judged over all runs."""

    group: str
    wanted: int
    """Labels `must`, over all runs."""
    found: int
    healthy: int
    """Runs of healthy environments."""
    alarms: int
    """False alarms of any run."""
    questions: int
    median: float
    longest: float


def totals(judged: Iterable[Judged]) -> list[Total]:
    """Return a row for each class, in alphabetical order, and one for all."""
    groups: dict[str, list[Judged]] = {}
    everything: list[Judged] = []
    for one in judged:
        groups.setdefault(one.labelled.group, []).append(one)
        everything.append(one)
    rows = [_total(name, groups[name]) for name in sorted(groups)]
    return [*rows, _total("all", everything)] if everything else []


def _total(group: str, judged: list[Judged]) -> Total:
    seconds = sorted(one.seconds for one in judged)
    wanted = sum(len(one.labelled.must) for one in judged)
    return Total(
        group=group,
        wanted=wanted,
        found=wanted - sum(len(one.missed) for one in judged),
        healthy=sum(not one.labelled.must for one in judged),
        alarms=sum(len(one.alarms) for one in judged),
        questions=sum(len(one.questions) for one in judged),
        median=seconds[len(seconds) // 2],
        longest=seconds[-1],
    )
