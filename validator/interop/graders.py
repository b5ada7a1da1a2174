"""Our checks as graders of the reference validator, by shape alone, without importing it.

`GraderRegistry.load_entry_points` finds them in the group `openenv.validation.graders`. The first
one that runs validates the started subject with the command, in a process of its own; the others
read the same report. The command is `envassay`, or what `ENVASSAY_COMMAND` says, so that it need
not share an interpreter with the reference.

Only the standard library is imported here: nothing else need be there.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from typing import Any

LEVELS = {"runtime": 2, "semantic": 3}
REFERENCE = "openenv.validation"
MOST_SECONDS = 1800.0


@dataclass(frozen=True, slots=True)
class CheckGrader:
    """One of our checks, in the form of the reference's protocol `Grader`."""

    check_id: str
    requires_capabilities: frozenset[str] = field(default=frozenset(), init=False)
    requires_provider: frozenset[Any] = field(default=frozenset(), init=False)
    depends_on: tuple[str, ...] = field(default=("runtime.startup",), init=False)

    @property
    def level(self) -> Any:
        """Return the reference's own value, which it compares by identity."""
        return _reference("types").Level(LEVELS[self.check_id.partition(".")[0]])

    def applies_to(self, manifest: Any) -> bool:
        """Say that any served package can be asked: what cannot be decided is a skip."""
        return True

    def run(self, subject: Any) -> Any:
        """Return the reference's `CheckResult` for a started subject.

        Raises:
            RuntimeError: the command broke, which the reference books as an error.
        """
        make = _reference("report").CheckResult
        running = subject.running
        if running is None:
            return make(
                check_id=self.check_id,
                status="skip",
                evidence=["the subject was not started"],
                duration_s=0.0,
            )
        found = _answers(running.base_url)
        if self.check_id not in found:
            raise RuntimeError(f"the report has no {self.check_id}")
        return make(**found[self.check_id])


@cache
def _answers(url: str) -> dict[str, dict[str, Any]]:
    """Return the answers for a served address, by check, in the reference's fields."""
    command = [*_command(), "validate", url, "--policy", "rfc008-v2", "--no-track", "--quiet"]
    ended = subprocess.run(
        [*command, "--budget", os.environ.get("ENVASSAY_BUDGET", "quick"), "--json", "-"],
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
    )
    if ended.returncode not in (0, 1):
        raise RuntimeError(f"envassay ended with {ended.returncode}: {ended.stderr[-300:]}")
    return {one["id"]: _translated(one) for one in json.loads(ended.stdout)["results"]}


def _command() -> list[str]:
    if told := os.environ.get("ENVASSAY_COMMAND"):
        return shlex.split(told)
    beside = shutil.which("envassay")
    return [beside] if beside else [sys.executable, "-m", "validator.cli.main"]


def _translated(result: dict[str, Any]) -> dict[str, Any]:
    findings = result["findings"]
    evidence = [result["reason"]]
    if findings:
        evidence += [f"{name}: {findings[0][name]}" for name in ("saw", "expected", "where")]
    return {
        "check_id": result["id"],
        "status": result["status"],
        "measured": result["measured"],
        "evidence": evidence,
        "remediation": (findings[0]["do"] if findings else result["needed"]) or None,
        "duration_s": 0.0,
    }


def _reference(module: str) -> Any:
    """Return a module of the reference validator that is running us."""
    return sys.modules[f"{REFERENCE}.{module}"]


tool_declaration_accuracy = CheckGrader("runtime.tool_declaration_accuracy")
task_declaration_accuracy = CheckGrader("runtime.task_declaration_accuracy")
seed_control = CheckGrader("runtime.seed_control")
episode_determinism = CheckGrader("runtime.episode_determinism")
episode_isolation = CheckGrader("runtime.episode_isolation")
oracle_containment = CheckGrader("runtime.oracle_containment")
resource_bounds = CheckGrader("runtime.resource_bounds")
oracle_max = CheckGrader("semantic.oracle_max")
floor_gap = CheckGrader("semantic.floor_gap")
canary_floor = CheckGrader("semantic.canary_floor")
no_solution_leakage = CheckGrader("semantic.no_solution_leakage")
verifier_determinism = CheckGrader("semantic.verifier_determinism")
replayability = CheckGrader("semantic.replayability")
