"""Is each task paid for being done, or does a healthy mean hide some that are not?"""

from collections.abc import Sequence
from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.solutions import CLOSING, closings, is_refusal, top_score, walked
from validator.stopping import Fault, Stops
from validator.table import Row

ENOUGH_EPISODES = 12
ENOUGH_PROBES = 2
"""Of one start, before all of them at the top are called vacuous."""


EASY = 0.5
"""Share of episodes that succeed on some other start, from which on a start that is always won
is taken for the easy end of a range of tasks, not for a vacuous one."""


class PerTask:
    """Looks for a minority of starts that are paid otherwise than the rest.

    Vacuous: every episode of several blind and null probes earned a success there, whatever was
    done, and no other start is nearly so easy; or the action that closes the solutions earns it
    alone, with nothing done before. Mis-scored: the declared solution earns less there, and a
    success on most. Tasks on which doing nothing is right are none of these, where the author
    names them.
    """

    id: ClassVar[str] = "reward.per_task"
    title: ClassVar[str] = "Is every task paid for being done?"
    stops: ClassVar[Stops] = Fault(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
            Need(walks=scale.solutions),
        )

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        walks = closings(evidence, scale)
        return (Need(walks=walks),) if walks else ()

    def doubts(self, evidence: Evidence) -> bool:
        """Say whether a start has paid a success for all of the little that was played there."""
        top = top_score(evidence)
        if top is None:
            return False
        played = _by_start(evidence).values()
        won = [rows for rows in played if all(_reaches(row, top) for row in rows)]
        unsure = any(_paid_anyhow(rows, top) is None for rows in won)
        return unsure and 2 * len(won) < len(played)

    def decide(self, evidence: Evidence) -> CheckResult:
        top = top_score(evidence)
        if top is None:
            return skipped(
                self,
                "nothing declares what a success is",
                needed="`score_range: [0.0, 1.0]` or `success_threshold` in the manifest",
            )
        played = _by_start(evidence)
        if len(played) < ENOUGH_PROBES:
            return skipped(self, "fewer than two starts were scored", needed="a larger --budget")
        anyhow = _vacuous_starts(list(played.values()), top)
        closed = walked(evidence, CLOSING)
        idle = [row for row in closed if _reaches(row, top) and not is_refusal(evidence, row)]
        idle = idle if 2 * len(idle) < len(closed) and not evidence.unrepeatable else []
        solutions = [row for row in evidence.oracle if row.score is not None]
        unpaid = [row for row in solutions if not _reaches(row, top)]
        unpaid = unpaid if 2 * len(unpaid) < len(solutions) and not evidence.unrepeatable else []
        measured: Measured = {"paid_anyhow": (proportion(len(anyhow), len(played)), "starts")}
        if closed:
            share = proportion(len(idle), len(closed))
            measured = {**measured, "paid_for_closing": (share, "starts")}
        findings = [
            *(_vacuous(evidence, row) for row in anyhow[:2]),
            *(_idle(evidence, row) for row in idle[:2]),
            *(_unpaid(evidence, row, top) for row in unpaid[:2]),
        ]
        if not findings:
            return passed(
                self,
                f"no minority of {len(played)} starts is paid otherwise than the rest",
                measured=measured,
            )
        parts = (
            (anyhow, "pay a success whatever is done"),
            (idle, "pay a success for closing at once"),
            (unpaid, "pay the declared solution less than a success"),
        )
        told = "; ".join(f"{len(rows)} starts {what}" for rows, what in parts if rows)
        return failed(self, f"{told}, unlike most", findings=findings, measured=measured)


def _by_start(evidence: Evidence) -> dict[tuple[str, int | None], list[Row]]:
    found: dict[tuple[str, int | None], list[Row]] = {}
    for row in evidence.scored(evidence.probes("null", "blind")):
        if not is_refusal(evidence, row):
            found.setdefault((row.key.task, row.key.seed), []).append(row)
    return found


def _paid_anyhow(rows: Sequence[Row], top: float) -> Row | None:
    """Return an episode of a start on which everything that was tried was a success."""
    enough = len(rows) >= ENOUGH_EPISODES and len({r.key.probe for r in rows}) >= ENOUGH_PROBES
    return rows[0] if enough and all(_reaches(row, top) for row in rows) else None


def _vacuous_starts(starts: Sequence[Sequence[Row]], top: float) -> list[Row]:
    """Return an episode of each start that is won whatever is done, where no other nearly is."""
    found = [_paid_anyhow(rows, top) for rows in starts]
    others = [rows for rows, won in zip(starts, found, strict=True) if won is None]
    if any(sum(_reaches(row, top) for row in rows) > EASY * len(rows) for rows in others):
        return []
    return _minority(found)


def _minority(found: list[Row | None]) -> list[Row]:
    """Return what was found, where it was found on less than half of the starts."""
    rows = [row for row in found if row is not None]
    return rows if 2 * len(rows) < len(found) else []


def _reaches(row: Row, top: float) -> bool:
    return row.score is not None and row.score >= top


def _named(row: Row) -> str:
    return f"task {row.key.task}, seed {row.key.seed}, episode {row.key.path}"


def _vacuous(evidence: Evidence, row: Row) -> Finding:
    return Finding(
        claim="a task is won whatever is done",
        saw=f"every episode of several probes scored {row.score:g} or more",
        expected="scores that depend on what is done, as on most starts",
        where=f"{_named(row)}, and all others of that start",
        reproduce=by_hand(evidence, row) + "; then the same with other actions",
        do="Look at what this task is checked for: an empty list of checks passes everything.",
    )


def _idle(evidence: Evidence, row: Row) -> Finding:
    return Finding(
        claim="a task is won by closing it with nothing done",
        saw=f"a score of {row.score:g} for one action, which most starts do not pay",
        expected="less than a success",
        where=_named(row),
        reproduce=by_hand(evidence, row),
        do="Ask for what is not so already; or name it in `tasks: {refuse: [...]}` where doing "
        "nothing is right.",
    )


def _unpaid(evidence: Evidence, row: Row, top: float) -> Finding:
    return Finding(
        claim="the declared solution of a task is not paid, those of most are",
        saw=f"a score of {row.score:g}",
        expected=f"{top:g} or more",
        where=_named(row),
        reproduce=by_hand(evidence, row),
        do="Mend how this task is scored, or its solution.",
    )
