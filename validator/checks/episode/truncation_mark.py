"""Is an episode that is cut short marked as such?"""

from collections import Counter
from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.client.frames import Json
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.scoring import at_least
from validator.stopping import Fault, Stops
from validator.table import Row

ENOUGH = 3
"""Episodes of the longest length that must all lack the mark."""

_ABSENT = object()


class TruncationMark:
    """Compares the declared `truncation_field` at the end of episodes with how they ended.

    Cut short are episodes that were no success and took as many steps as the declared horizon,
    or as the longest ones, where several share that length. One of them may be a loss by the
    rules; all of them without the mark is a promise that is not kept.
    """

    id: ClassVar[str] = "episode.truncation_mark"
    title: ClassVar[str] = "Is an episode that is cut short marked as such?"
    stops: ClassVar[Stops] = Fault(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        name = evidence.manifest.envassay.truncation_field
        if name is None:
            return skipped(
                self,
                "no field is declared to say that an episode was cut short",
                needed="`truncation_field: observation.truncated` in the manifest",
            )
        ended = [row for row in evidence.table.originals() if row.ended == "done" and row.steps]
        cut, won = _cut(evidence, ended), _won(evidence, ended)
        marks = {row: _mark(evidence, row, name) for row in [*cut, *won]}
        unmarked = [row for row in cut if marks[row] is not True]
        wrongly = [row for row in won if marks[row] is True]
        if len(cut) < ENOUGH and not wrongly:
            return skipped(
                self,
                f"only {len(cut)} episodes were as long as episodes get",
                needed="a larger --budget, or `horizon` in the manifest",
            )
        measured: Measured = {"marked": (proportion(len(cut) - len(unmarked), len(cut)), "cuts")}
        if len(unmarked) == len(cut) >= ENOUGH:
            return failed(
                self,
                f"none of {len(cut)} episodes that ran out of steps is marked in `{name}`",
                findings=[_unmarked(evidence, row, marks[row], name) for row in unmarked[:2]],
                measured=measured,
            )
        if wrongly:
            return failed(
                self,
                f"{len(wrongly)} of {len(won)} successes before the last step are marked as cut",
                findings=[_wrongly(evidence, row, name) for row in wrongly[:2]],
                measured=measured,
            )
        return passed(
            self,
            f"{len(cut) - len(unmarked)} of {len(cut)} episodes that ran out of steps are marked, "
            f"and none of {len(won)} that were won before",
            measured=measured,
        )


def _longest(evidence: Evidence, ended: list[Row]) -> int | None:
    """Return the length of episodes that ran out of steps."""
    horizon = evidence.manifest.envassay.horizon
    if isinstance(horizon, int):
        return horizon
    lengths = Counter(row.answered for row in ended)
    longest = max(lengths, default=0)
    return longest if longest > 1 and lengths[longest] >= ENOUGH else None


def _success(evidence: Evidence, row: Row) -> bool:
    top, _ = evidence.success
    return top is not None and row.score is not None and row.score >= at_least(top)


def _cut(evidence: Evidence, ended: list[Row]) -> list[Row]:
    longest = _longest(evidence, ended)
    if longest is None or longest < 2:
        return []
    return [row for row in ended if row.answered == longest and not _success(evidence, row)]


def _won(evidence: Evidence, ended: list[Row]) -> list[Row]:
    longest = _longest(evidence, ended)
    return [
        row
        for row in ended
        if longest is not None and row.answered < longest and _success(evidence, row)
    ]


def _mark(evidence: Evidence, row: Row, name: str) -> object:
    """Return what stands in the field at the end of an episode."""
    value: Json | object = dict(evidence.trace(row)[-1])
    for part in name.split("."):
        value = value.get(part, _ABSENT) if isinstance(value, dict) else _ABSENT
    return value


def _unmarked(evidence: Evidence, row: Row, mark: object, name: str) -> Finding:
    return Finding(
        claim="an episode that ran out of steps looks as if its task had ended it",
        saw=f"done after {row.steps} steps, `{name}` "
        + ("is not there" if mark is _ABSENT else f"is {mark!r:.60}"),
        expected=f"`{name}: true`, as the manifest says",
        where=f"episode {row.key.path}, step {row.steps}",
        reproduce=by_hand(evidence, row),
        do="Set the mark where the step limit ends an episode: a trainer must not take that for "
        "a failure of the last action.",
    )


def _wrongly(evidence: Evidence, row: Row, name: str) -> Finding:
    return Finding(
        claim="an episode that was won is marked as cut short",
        saw=f"a score of {row.score:g} after {row.steps} steps, `{name}` is true",
        expected=f"`{name}: false`",
        where=f"episode {row.key.path}, step {row.steps}",
        reproduce=by_hand(evidence, row),
        do="Set the mark only where the step limit ends an episode.",
    )
