"""Puts the question of one check to a server once more, as a run before had put it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.model import CheckResult
from validator.client.limits import Limits
from validator.installed import Installed
from validator.manifest import Manifest, parse_manifest
from validator.policy.model import Policy, read_policy
from validator.rollouts.budget import read_budget
from validator.run import validate
from validator.settings import DEFAULT_MAX_STEPS, Settings
from validator.targets.base import Target

FIRST = "runtime.startup"
"""Asked along: its episodes show how to act here, and exercises want some played before them."""
FIXED = " fixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One check, and what the run was told that asked it."""

    check: str
    told: Mapping[str, Any]
    """What `run.json` in the run's folder holds."""
    manifest: Manifest | None = None
    """The declarations with the files they name; the kept ones, without files, where None."""
    limits: Limits = Limits()


async def ask_again(question: Question, target: Target, folder: Path) -> CheckResult:
    """Return the answer of one check, from its own episodes and exercises alone.

    Drawn from the same seed, they are the same that the run before played; language models and
    harnesses do not take part.

    Args:
        question: What is asked.
        target: Where.
        folder: For what is played; new, or empty.

    Raises:
        TargetError: nothing usable at the address.
        SettingsError: a probe or check of the run is not installed.
    """
    settings = _settings(question, folder)
    installed = Installed.choose(settings.probes, settings.policy.severities)
    report = await validate(target, settings, installed)
    return next(result for result in report.results if result.id == question.check)


def _settings(question: Question, folder: Path) -> Settings:
    told, manifest = question.told, question.manifest
    if manifest is None:
        manifest = parse_manifest(told["manifest"] or {}, where="run.json", folder=folder)
    budget = read_budget(told["budget"].removesuffix(FIXED))
    block, most = manifest.envassay, int(told["max_steps"])
    open_end = most == DEFAULT_MAX_STEPS and not (
        isinstance(block.horizon, int) or block.oracle or block.canaries
    )
    return Settings(
        budget=budget,
        policy=_policy(question.check),
        manifest=manifest,
        folder=folder,
        fixed=told["budget"].endswith(FIXED),
        group_size=int(told["group_size"]),
        seed=int(told["seed"]),
        probes=tuple(name for name in told["probes"] if name not in told["tiers"]),
        max_steps=most,
        unending_steps=budget.unending_steps if open_end else None,
        allow_intrusive=bool(told["allow_intrusive"]),
        limits=question.limits,
    )


def _policy(check: str) -> Policy:
    """Return a policy that asks one check, and what must be asked before it.

    Both as if the verdict rested on them: a run does not go on for advice.
    """
    shipped = read_policy("author")
    severities = dict.fromkeys((FIRST, check), "fail")
    return Policy.model_validate(
        {"name": "once more", "version": shipped.version, "severities": severities}
    )
