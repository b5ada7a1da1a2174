"""Check, result, evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, runtime_checkable

from metrics.results import Estimate, Undefined
from reports.model import Finding, Status
from validator.drills.base import Drill
from validator.rollouts.needs import Need, Scale

if TYPE_CHECKING:
    from validator.evidence import Evidence

Measured: TypeAlias = Mapping[str, tuple[Estimate | Undefined | float, str]]
"""What an answer rests on, each with what was counted: episodes, replays, starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The answer to one check's question. It has no opinion on severity."""

    check_id: str
    status: Status
    reason: str
    question: bool = False
    """A declaration of the author would settle it."""
    needed: str = ""
    """For a skip: what would make it decidable."""
    open: bool = False
    """For a skip: more episodes of the same kind may decide it."""
    measured: Measured = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


class Check(Protocol):
    """One question: what it needs, how it decides."""

    id: ClassVar[str]
    title: ClassVar[str]
    """The question in one line of plain words."""

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        """Return the episodes it asks the planner for."""
        ...

    def decide(self, evidence: "Evidence") -> CheckResult:
        """Answer from what was run; too little is a skip that says how little."""
        ...


@runtime_checkable
class Sequel(Protocol):
    """A check that asks for more once it has seen what the first round brought."""

    def more(self, evidence: "Evidence", scale: Scale) -> tuple[Need, ...]:
        """Return the episodes of the next round; none ends it. Equal evidence, equal needs."""
        ...


@runtime_checkable
class Drilled(Protocol):
    """A check that wants exercises carried out when all episodes have been played."""

    drills: ClassVar[tuple[type[Drill], ...]]


def passed(check: Check, reason: str, *, measured: Measured | None = None) -> CheckResult:
    """Return the answer of a check that found nothing wrong."""
    return CheckResult(check_id=check.id, status="pass", reason=reason, measured=measured or {})


def failed(
    check: Check,
    reason: str,
    *,
    findings: Sequence[Finding],
    measured: Measured | None = None,
    question: bool = False,
) -> CheckResult:
    """Return the answer of a check that found something, with the evidence."""
    return CheckResult(
        check_id=check.id,
        status="fail",
        reason=reason,
        question=question,
        measured=measured or {},
        findings=tuple(findings),
    )


def skipped(
    check: Check, reason: str, *, needed: str, measured: Measured | None = None
) -> CheckResult:
    """Return the answer of a check that could not decide, and what it would need."""
    return CheckResult(
        check_id=check.id, status="skip", reason=reason, needed=needed, measured=measured or {}
    )


def undecided(
    check: Check, reason: str, *, needed: str, measured: Measured | None = None
) -> CheckResult:
    """Return the answer of a check that could not decide yet, and may with more episodes."""
    return replace(skipped(check, reason, needed=needed, measured=measured), open=True)
