"""Check, result, evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from metrics.results import Estimate, Undefined
from reports.model import Finding, Status
from validator.rollouts.needs import Need, Scale

if TYPE_CHECKING:
    from validator.evidence import Evidence


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
    measured: Mapping[str, "Estimate | Undefined | float"] = field(default_factory=dict)
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


Decided = Literal["pass", "fail", "skip"]
