"""When a check has seen enough, as data: what it must decide, and how many episodes settle that."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeAlias, assert_never, runtime_checkable

from metrics.results import Undefined
from metrics.sequential import trials_to_see
from validator.checks.base import Check, CheckResult
from validator.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Is there a fault? One that was seen settles it; so do enough trials without one.

    Enough are so many that a fault which shows in a share `rate` of trials would have been seen
    with a chance of 95 %.
    """

    rate: float
    of: tuple[str, ...] = ()
    """Names of measured numbers whose n counts the trials: each that was measured must have enough.
    Where none is named, the trials are all episodes that did not fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """Is there an instance? One that was seen settles it.

    Where enough scored episodes of blind probes had none, it is given up: one that shows in a share
    `rate` of them would have been seen with a chance of 95 %.
    """

    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """On which side of a limit is a quantity? Settled once its interval lies on one side.

    The interval is one of `Evidence.level`, which holds at every look.
    """


Stops: TypeAlias = Fault | Witness | Interval
Settled: TypeAlias = Literal["", "decided", "undecidable"]


@runtime_checkable
class Stopping(Protocol):
    """A check that may be settled early; any other waits until all it asks for was played."""

    stops: ClassVar[Stops]


@runtime_checkable
class Doubting(Protocol):
    """A check that can name what still speaks against its answer."""

    def doubts(self, evidence: Evidence) -> bool:
        """Say whether something was seen that more episodes may show otherwise."""
        ...


def settled(check: Check, result: CheckResult, evidence: Evidence) -> Settled:
    """Say whether a check needs no more episodes, and why.

    It follows from the evidence alone, so that equal evidence stops a run at the same look.

    Returns:
        `decided` where its answer stands; `undecidable` where more episodes would hardly give one;
        empty where it needs more.
    """
    if not isinstance(check, Stopping) or result.status == "error":
        return ""
    if isinstance(check, Doubting) and check.doubts(evidence):
        return ""
    match result.status:
        case "fail":
            return "decided"
        case "pass":
            return "decided" if _enough(check.stops, result, evidence) else ""
        case _:
            return "undecidable" if not result.open or _in_vain(check.stops, evidence) else ""


def _enough(stops: Stops, result: CheckResult, evidence: Evidence) -> bool:
    """Say whether a pass stands: enough was tried for a fault to have been seen."""
    match stops:
        case Fault(rate=rate, of=of):
            return min(_trials(result, evidence, of)) >= trials_to_see(rate)
        case Witness() | Interval():
            return True
        case _:
            assert_never(stops)


def _in_vain(stops: Stops, evidence: Evidence) -> bool:
    """Say whether so much was tried in vain that an instance, if there is one, is too rare."""
    if not isinstance(stops, Witness):
        return False
    return len(evidence.scored(evidence.probes("blind"))) >= trials_to_see(stops.rate)


def _trials(result: CheckResult, evidence: Evidence, of: tuple[str, ...]) -> list[int]:
    if not of:
        return [sum(row.ended != "failed" for row in evidence.table.rows)]
    found = [result.measured[name][0] for name in of if name in result.measured]
    return [0 if isinstance(one, int | float | Undefined) else one.n for one in found] or [0]
