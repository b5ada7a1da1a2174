"""Reads what is known of the calibration environments: labels, manifests, and what they are."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
CLASSES = (
    "seed", "ndet", "vac", "hack", "tamper", "leak", "fneg", "flaky", "infra", "state", "conc",
    "term", "rnum", "wire", "ctrl", "task", "signal", "perf", "decl", "hub",
)  # fmt: skip
"""Kinds of defects, in the order of the table."""

CHECKS = frozenset(
    f"{level}.{name}"
    for level, names in {
        "static": "manifest timeout_ceiling task_distribution_pinning",
        "runtime": "startup reward_well_formed observation_schema state_contract"
        " tool_declaration_accuracy task_declaration_accuracy seed_control episode_determinism"
        " episode_isolation oracle_containment resource_bounds",
        "semantic": "oracle_max floor_gap canary_floor no_solution_leakage verifier_determinism"
        " replayability",
        "hub": "time_to_first_work cross_host_determinism immutable_versioning",
        "statistical": "reward_reachability difficulty_separation headroom variance_bound"
        " training_signal adversarial_floor gameability_gap",
        "wire": "error_contract delivery control_boundary state_purity",
        "episode": "start_variety termination after_done truncation_mark failure_accounting"
        " observation_noise",
        "session": "capacity recovery load_stability",
        "reward": "tamper per_task",
        "drift": "latency memory",
    }.items()
    for name in names.split()
)
"""Every check that a label may name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One environment of the suite and what is to be found of it."""

    name: str
    """Class and module: `seed/seed_dropped`."""
    must: frozenset[str]
    """Checks that must fail; empty for a look-alike."""
    may: frozenset[str]
    """Checks that may fail too, because of the defect."""
    never: frozenset[str]
    """Checks that must not fail."""
    manifest: Mapping[str, Any]
    """What the author declares; paths in it are relative to `folder`."""
    folder: Path
    title: str
    """The defect in one line, or what looks like one."""
    base: str
    """Class of the game it is made from."""

    @property
    def kind(self) -> str:
        """Return the class of defects it belongs to."""
        return self.name.partition("/")[0]

    @property
    def healthy(self) -> bool:
        """Return whether it is a look-alike."""
        return not self.must


def names() -> list[str]:
    """Return the names of all environments, class by class."""
    return [
        f"{kind}/{path.stem}" for kind in CLASSES for path in sorted((HERE / kind).glob("*.yaml"))
    ]


def read(name: str) -> Labelled:
    """Read one environment.

    Raises:
        ValueError: a label names what is no check, or the same check twice.
    """
    path = HERE / f"{name}.yaml"
    document = yaml.safe_load(path.read_text("utf-8"))
    labels = document["labels"]
    named = {key: labels[key] for key in ("must", "may", "never") if labels[key] != "*"}
    listed = [check for checks in named.values() for check in checks]
    if unknown := set(listed) - CHECKS:
        raise ValueError(f"{name}: no check is named {', '.join(sorted(unknown))}")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name}: a check is labelled twice")
    tree = ast.parse(path.with_suffix(".py").read_text("utf-8"))
    environment = [node for node in tree.body if isinstance(node, ast.ClassDef)][-1]
    return Labelled(
        name=name,
        must=frozenset(named["must"]),
        may=frozenset(named["may"]),
        never=frozenset(named.get("never", CHECKS - set(listed))),
        manifest=document["manifest"],
        folder=path.parent,
        title=(ast.get_docstring(tree) or "").splitlines()[0],
        base=ast.unparse(environment.bases[0]),
    )
