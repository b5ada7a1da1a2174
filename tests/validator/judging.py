"""Takes a world in this process down the whole road."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from probes.base import Probe
from reports.model import CheckResult, Report
from tests.validator.memory import MemoryTarget, World
from tests.validator.probes import Dice, Steady
from validator.checks.base import Check
from validator.checks.runtime.startup import Startup
from validator.installed import Installed
from validator.manifest import parse_manifest
from validator.plugins import Registry
from validator.policy.model import read_policy
from validator.rollouts.budget import PRESETS
from validator.run import validate
from validator.settings import Settings


def judge(
    world: Callable[[], World] | MemoryTarget,
    folder: Path,
    *,
    declared: Mapping[str, Any] | None = None,
    probes: tuple[Probe, ...] = (Steady(), Dice()),
    checks: tuple[Check, ...] | None = None,
    **settings: Any,
) -> Report:
    """Return the report on a world, on a quick budget."""
    target: Any = world if hasattr(world, "open") else MemoryTarget(world)
    policy = read_policy("author")
    told: dict[str, Any] = {
        "budget": PRESETS["quick"],
        "policy": policy,
        "manifest": parse_manifest({"envassay": dict(declared or {})}, where="test"),
        "folder": folder / "run",
        "max_steps": 12,
        "probes": tuple(probe.name for probe in probes),
    }
    known = Registry("check")
    installed = Installed(
        probes={probe.name: probe for probe in probes},
        sources={probe.name: "tests" for probe in probes},
        checks=checks or tuple(known.get(name).make() for name in policy.severities),
    )
    return asyncio.run(validate(target, Settings(**(told | settings)), installed))


def answer(report: Report, name: str) -> CheckResult:
    """Return the answer of one check."""
    return next(result for result in report.results if result.id == name)


def decided(
    check_id: str, world: Callable[[], World] | MemoryTarget, folder: Path, **told: Any
) -> CheckResult:
    """Return the answer of one check where only what it asks for is run, and a first episode."""
    checks = (Startup(), Registry("check").get(check_id).make())
    return answer(judge(world, folder, checks=checks, **told), check_id)


def failed(report: Report) -> set[str]:
    """Return the checks that failed, questions left out."""
    return {r.id for r in report.results if r.status == "fail" and not r.question}


def asked(report: Report) -> set[str]:
    """Return the checks that ask the author."""
    return {r.id for r in report.results if r.question}
