"""Which checks still ask for episodes, what each had played for it, and why it asks no more."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from reports.model import CheckResult as Answer
from reports.spending import Spending, Spent, Stopped
from validator.checks.base import Check, CheckResult, Sequel
from validator.checks.timeless import seen_by
from validator.decide import decide
from validator.episodes import EpisodeKey
from validator.evidence import Evidence
from validator.policy.model import Policy
from validator.rollouts.looks import Look
from validator.rollouts.needs import Need, Scale
from validator.stopping import Settled, settled

log = logging.getLogger(__name__)

Asked = Callable[[Iterable[Need]], frozenset[EpisodeKey]]
HOLDING = frozenset({"fail", "warn"})
"""Severities of checks that a run goes on for: others take what there is."""


@dataclass(slots=True)
class _Question:
    """One check, and what it asked for so far."""

    check: Check
    whole: tuple[Need, ...]
    asked: set[EpisodeKey] = field(default_factory=set)
    further: tuple[Need, ...] = ()
    look: int = 0
    settled: Settled | Stopped = ""


class Inquiry:
    """The questions of one run over its looks."""

    def __init__(
        self, checks: Sequence[Check], policy: Policy, scale: Scale, asked_for: Asked
    ) -> None:
        self._questions = [_Question(check, check.needs(scale)) for check in checks]
        self._severities = policy.severities
        self._scale = scale
        self._asked_for = asked_for
        self._played: list[int] = []

    def needs(self, look: Look) -> list[Need]:
        """Return the episodes that the checks which are still open ask for up to a look."""
        return [need for question in self._asking(look) for need in self._asks(question, look, ())]

    def more(self, evidence: Evidence, look: Look) -> list[Need]:
        """Return which further episodes they ask for, having seen what was played."""
        found: list[Need] = []
        for question in self._asking(look):
            if isinstance(question.check, Sequel):
                question.further = question.check.more(
                    seen_by(question.check, evidence), look.scale(self._scale)
                )
                found += self._asks(question, look, question.further)
        return found

    def close(self, evidence: Evidence, look: Look, planned: frozenset[EpisodeKey]) -> bool:
        """Settle what can be settled after a look; say whether the run has to go on.

        Args:
            evidence: What was played up to this look.
            look: The look that has been played.
            planned: All episodes that were to be played so far. A check all of whose episodes are
                among them is settled, whatever it found.

        Returns:
            Whether a check is open that the verdict rests on.
        """
        self._played.append(len(evidence.now.table.everything) - sum(self._played))
        for question in self._asking(look):
            question.look = look.number
            whole = self._asked_for([*question.whole, *question.further])
            result = decide(question.check, evidence)
            question.settled = _settled(question.check, result, evidence)
            if not question.settled and whole <= planned:
                question.settled = "played"
        return any(self._holds(question) for question in self._open())

    def spending(
        self, evidence: Evidence, results: Iterable[Answer], over: Stopped | None
    ) -> Spending:
        """Return how many episodes were played for each check, and why no more were.

        Args:
            evidence: What was played in the whole run.
            results: The answers. A check that an exercise has answered counts as decided, even
                where episodes alone left it open.
            over: What ended the run early, None where nothing did.
        """
        answered = {result.id for result in results if result.status in ("pass", "fail")}
        early: Stopped = over or "advisory"
        open_still = any(self._holds(question) for question in self._open())
        ended: Stopped = "decided" if len(self._played) < evidence.look.of else "played"
        played = {row.key for row in evidence.now.table.everything}
        return Spending(
            looks=evidence.look.of,
            episodes=self._played,
            why=over if over and open_still else ended,
            checks={
                question.check.id: Spent(
                    episodes=len(question.asked & played),
                    look=question.look,
                    why=_why(question.settled or early, answered=question.check.id in answered),
                )
                for question in self._questions
                if question.whole or question.further
            },
        )

    def _asking(self, look: Look) -> list[_Question]:
        """Return the open questions; after the first look only those that the verdict rests on."""
        return [q for q in self._open() if look.number == 1 or self._holds(q)]

    def _holds(self, question: _Question) -> bool:
        return self._severities.get(question.check.id) in HOLDING

    def _open(self) -> list[_Question]:
        return [question for question in self._questions if not question.settled]

    def _asks(self, question: _Question, look: Look, further: Sequence[Need]) -> list[Need]:
        needs = [look.part(need) for need in further or question.whole]
        question.asked |= self._asked_for(needs)
        return needs


def _settled(check: Check, result: CheckResult, evidence: Evidence) -> Settled:
    """Say whether a check is settled; one that cannot say so is open until all was played."""
    try:
        return settled(check, result, seen_by(check, evidence))
    except Exception:
        log.exception("check %s cannot say whether it is settled", check.id)
        return ""


def _why(found: Stopped, *, answered: bool) -> Stopped:
    return "decided" if found == "undecidable" and answered else found
