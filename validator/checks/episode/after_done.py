"""Is nothing paid after the end?"""

from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.client.reading import Number, Reward
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops
from validator.table import Row


class AfterDone:
    """Steps on after the end of some episodes and looks at what that pays.

    An error, a null, or the last observation once more with nothing paid are all fine, and so
    is a cost. Paid means above zero, or above the bottom of the declared range of a step where
    that range leaves zero out.
    """

    id: ClassVar[str] = "episode.after_done"
    title: ClassVar[str] = "Is nothing paid after the end?"
    stops: ClassVar[Stops] = Fault(rate=0.55, of=("paid_after_end",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(
                rung="blind",
                starts=scale.replayed_starts,
                scripted=True,
                replays=1,
                condition="overrun",
            ),
            Need(walks=scale.solutions[:2], replays=1, condition="overrun"),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = [row for row in evidence.table.rows if row.after]
        if not rows:
            return skipped(
                self,
                "no episode that ended was stepped on",
                needed="episodes that end by themselves",
            )
        unpaid = _unpaid(evidence)
        paid = [row for row in rows if _first_pay(row, unpaid) is not None]
        measured: Measured = {"paid_after_end": (proportion(len(paid), len(rows)), "episodes")}
        if not paid:
            refused = sum(all(reward is None for reward, _ in row.after) for row in rows)
            return passed(
                self,
                f"{len(rows)} episodes were stepped on after their end: {refused} refused that, "
                f"the others paid nothing",
                measured=measured,
            )
        return failed(
            self,
            f"{len(paid)} of {len(rows)} episodes pay for steps after their end",
            findings=[_finding(evidence, row, unpaid) for row in paid[:3]],
            measured=measured,
        )


def _unpaid(evidence: Evidence) -> float:
    """Return the reward of a step that pays nothing."""
    declared = evidence.manifest.reward_range
    if declared is None or declared[0] <= 0.0 <= declared[1]:
        return 0.0
    return declared[0]


def _first_pay(row: Row, unpaid: float) -> tuple[int, float] | None:
    """Return the first step after the end that was paid, and what it was paid."""
    for number, (reward, _) in enumerate(row.after, start=1):
        if _value(reward) > unpaid:
            return number, _value(reward)
    return None


def _value(reward: Reward | None) -> float:
    return float(reward.value) if isinstance(reward, Number) else float("-inf")


def _finding(evidence: Evidence, row: Row, unpaid: float) -> Finding:
    found = _first_pay(row, unpaid)
    assert found is not None
    number, value = found
    going = row.after[number - 1][1] is False
    return Finding(
        claim="a step after the end is paid",
        saw=f"reward {value:g} at step {number} after `done: true`"
        + (", and the episode goes on as if it had not ended" if going else ""),
        expected="an error, or no pay",
        where=f"episode {row.key.path}, step {row.steps + number}",
        reproduce=by_hand(evidence, row, steps=row.steps + number),
        do="Refuse steps after the end until the next reset, or repeat the last observation "
        "with reward 0.",
    )
