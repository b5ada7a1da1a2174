"""Do episodes end by themselves, and not at once?"""

from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_least
from validator.stopping import Fault, Stops
from validator.table import Row, start_of


class Termination:
    """Fails episodes that never end, and starts that end at once while others do not.

    An environment all of whose episodes take one step is a single-step environment, which is
    fine. One that goes on past our own step cap may be meant so: a question, unless a horizon
    is declared.
    """

    id: ClassVar[str] = "episode.termination"
    title: ClassVar[str] = "Do episodes end by themselves, and not at once?"
    stops: ClassVar[Stops] = Fault(rate=0.05, of=("ended_share",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=1, replays=1, condition="long", priority=0),
            Need(rung="blind", starts=2, replays=1, condition="long", priority=0),
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts, repeats=MANY),
        )

    def doubts(self, evidence: Evidence) -> bool:
        """Say whether a start has ended at once in what little was played there."""
        rows = [row for row in evidence.table.originals() if row.ended in ("done", "step_cap")]
        return bool(_lost(evidence, _instant_starts(rows, many=1)))

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = [row for row in evidence.table.originals() if row.ended in ("done", "step_cap")]
        rows += [row for row in _long(evidence) if row.ended == "step_cap"]
        if not rows:
            return skipped(self, "no episode was finished", needed="an environment that steps")
        ended = [row for row in rows if row.ended == "done"]
        measured: Measured = {"ended_share": (proportion(len(ended), len(rows)), "episodes")}
        horizon = evidence.manifest.envassay.horizon
        if instant := _lost(evidence, _instant_starts(rows)):
            return failed(
                self,
                f"{len(instant)} starts end at once whatever is done, the others do not",
                findings=[self._instant(evidence, instant)],
                measured=measured,
            )
        if isinstance(horizon, int) and (late := [row for row in rows if row.answered > horizon]):
            return failed(
                self,
                f"{len(late)} of {len(rows)} episodes went on past the declared horizon of "
                f"{horizon} steps",
                findings=[self._endless(evidence, late[0], f"the end by step {horizon}")],
                measured=measured,
            )
        if ended or horizon == "unbounded":
            return passed(
                self,
                f"{len(ended)} of {len(rows)} episodes ended by themselves"
                + (", unbounded as declared" if horizon == "unbounded" else ""),
                measured=measured,
            )
        least = horizon if isinstance(horizon, int) else 1
        if all(row.answered < least for row in rows):
            return skipped(
                self,
                f"no episode had {least} steps that were not refused, so that none could end",
                needed="an environment that takes the actions it names",
                measured=measured,
            )
        return failed(
            self,
            _none_ended(rows),
            findings=[
                self._endless(
                    evidence,
                    max(rows, key=lambda row: row.steps),
                    "`done: true` at some step",
                )
            ],
            measured=measured,
            question=horizon is None,
        )

    def _instant(self, evidence: Evidence, rows: list[Row]) -> Finding:
        return Finding(
            claim="some starts end on the first step whatever is done",
            saw=f"done at step {rows[0].steps}",
            expected="an episode as long as those of other starts can be",
            where="starts " + ", ".join(sorted({start_of(row.key) for row in rows})[:5]),
            reproduce=by_hand(evidence, rows[0]),
            do="Mend how these starts are built, or refuse them at reset.",
        )

    def _endless(self, evidence: Evidence, row: Row, expected: str) -> Finding:
        return Finding(
            claim="an episode does not end",
            saw=f"{row.steps} steps, none of them done",
            expected=expected,
            where=f"episode {row.key.path}",
            reproduce=by_hand(evidence, row),
            do="End episodes with `done: true`; or declare `horizon: unbounded`.",
        )


MANY = 3
"""Episodes of a start that must all have ended at once before it is called instant."""


def _none_ended(rows: list[Row]) -> str:
    """Return in words how long episodes were that did not end; some were stopped sooner."""
    lengths = [row.steps for row in rows]
    least, most = min(lengths), max(lengths)
    told = f"none of {len(rows)} episodes ended within {least} steps"
    return told if least == most else f"{told}, nor {lengths.count(most)} of them within {most}"


def _long(evidence: Evidence) -> list[Row]:
    return [row for row in evidence.table.rows if row.key.condition == "long"]


def _lost(evidence: Evidence, instant: list[Row]) -> list[Row]:
    """Return the episodes that were no success: a task that is won at once has ended well."""
    top, _ = evidence.success
    return [row for row in instant if top is None or row.score is None or row.score < at_least(top)]


def _instant_starts(rows: list[Row], many: int = MANY) -> list[Row]:
    """Return one episode of each start that ended at once, where most did not of those known.

    Known is a start with so many episodes that tell something: steps that were refused do not make
    an episode longer, and one whose steps were all refused does not say when it would have ended.
    """
    by_start: dict[str, list[Row]] = {}
    for row in rows:
        if row.ended != "done" and not row.answered:
            continue
        by_start.setdefault(start_of(row.key), []).append(row)
    known = [group for group in by_start.values() if len(group) >= many]
    instant = [
        group[0]
        for group in known
        if all(row.ended == "done" and row.answered <= 1 for row in group)
    ]
    return instant if 2 * len(instant) < len(known) else []
