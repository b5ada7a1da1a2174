"""Do groups of rollouts differ in score, so that a trainer can learn from them?"""

import json
from typing import ClassVar

from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.headline import signal
from validator.rollouts.needs import Need, Scale
from validator.stopping import Stops, Witness
from validator.table import Row

ENOUGH_EPISODES = 30
ENOUGH_PROBES = 2
ENOUGH_ACTIONS = 3
"""Different actions that were taken, before one reward for all is called one whatever is done."""


class TrainingSignal:
    """RFC 008 #44: the share of groups of G whose scores are not all equal.

    It is a property of environment and probe together. Passes where a probe's share is surely
    above zero. Fails only where every episode of several probes earned one and the same
    reward above the bottom, for several actions: then the reward does not depend on what is done.
    All at the bottom may be a hard task or a dead one, and is not decided by weak probes.
    """

    id: ClassVar[str] = "statistical.training_signal"
    title: ClassVar[str] = "Do groups of rollouts differ in score?"
    stops: ClassVar[Stops] = Witness(rate=0.025)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts, deep=0),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats, deep=scale.starts),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = evidence.scored(list(evidence.rungs))
        if not rows:
            return skipped(self, "no episode was scored", needed="an environment that scores")
        share = signal(evidence)
        measured: Measured = (
            {} if isinstance(share, Undefined) else {"live_group_share": (share, "starts")}
        )
        group = f"groups of {evidence.group_size}"
        if _one_reward_for_all(rows, evidence):
            return self._failed(evidence, rows, measured)
        if isinstance(share, Undefined):
            return undecided(self, share.reason, needed="a larger --budget")
        interval = share.confidence_interval(evidence.level())
        told = f"{share.estimate:.0%} [{interval.low:.0%}, {interval.high:.0%}] of {group} differ"
        if share.estimate > 0 and interval.low > 0:
            return passed(self, told, measured=measured)
        return undecided(
            self,
            f"{told} in score: a hard task looks like that, and a dead one",
            needed="a more capable probe, or a larger --budget",
            measured=measured,
        )

    def _failed(self, evidence: Evidence, rows: list[Row], measured: Measured) -> CheckResult:
        score, first = rows[0].score, rows[0]
        probes = sorted({row.key.probe for row in rows})
        finding = Finding(
            claim="the reward does not depend on what is done",
            saw=f"{len(rows)} episodes of {', '.join(probes)}, every one scored {score:g}",
            expected="scores that differ with the actions",
            where=f"episode {first.key.path} and all others",
            reproduce=by_hand(evidence, first) + "; then the same with other actions",
            do="Find why every episode is paid alike; groups without a difference teach nothing.",
        )
        return failed(
            self,
            f"all {len(rows)} episodes scored {score:g}, whatever was done",
            findings=[finding],
            measured=measured,
        )


def _one_reward_for_all(rows: list[Row], evidence: Evidence) -> bool:
    scores = {row.score for row in rows}
    if len(scores) > 1 or len(rows) < ENOUGH_EPISODES:
        return False
    if len({row.key.probe for row in rows}) < ENOUGH_PROBES or not _varied(rows, evidence):
        return False
    score = rows[0].score
    bottom = evidence.score_range[0] if evidence.score_range else 0.0
    return score is not None and score > max(bottom, 0.0)


def _varied(rows: list[Row], evidence: Evidence) -> bool:
    """Say whether enough was tried: probes that all say the same prove nothing of the reward."""
    told: set[str] = set()
    for row in rows:
        told.update(json.dumps(action, sort_keys=True) for action in evidence.actions(row))
        if len(told) >= ENOUGH_ACTIONS:
            return True
    return False
