"""Which checks ask what an episode shows, whenever it was played."""

from validator.checks.base import Check
from validator.evidence import Evidence

TIMELESS = frozenset(
    {
        "episode.failure_accounting",
        "episode.termination",
        "episode.truncation_mark",
        "reward.per_task",
        "runtime.observation_schema",
        "runtime.oracle_containment",
        "runtime.reward_well_formed",
        "runtime.task_declaration_accuracy",
        "runtime.tool_declaration_accuracy",
        "semantic.canary_floor",
        "semantic.floor_gap",
        "semantic.no_solution_leakage",
        "semantic.oracle_max",
        "statistical.adversarial_floor",
        "statistical.difficulty_separation",
        "statistical.gameability_gap",
        "statistical.headroom",
        "statistical.reward_reachability",
        "statistical.training_signal",
        "wire.delivery",
    }
)
"""Their answer rests on what single episodes show and pay, which an unchanged environment gives
again. All others ask whether it does, how fast, for how many, or after what: they see only what
this run has played. A check that is not ours is among them."""


def seen_by(check: Check, evidence: Evidence) -> Evidence:
    """Return what a check decides from."""
    return evidence if check.id in TIMELESS else evidence.now
