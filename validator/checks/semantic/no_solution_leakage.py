"""Is the answer kept from the agent until the end?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from metrics.proportions import Proportion, proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.disclosure import Disclosed
from validator.evidence import Evidence
from validator.knowledge import Known, known_answers, looks_again, states_that_show
from validator.leaks import normalise
from validator.reference_answers import Place
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops

MOST_OTHERS = 8
"""Other tasks' answers that are searched for on each start, as the level of chance."""
LONG = 8
"""Characters from which an answer is not there by chance, where there is none to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hit:
    place: Place
    known: Known
    found: Disclosed


class NoSolutionLeakage:
    """RFC 008 #30: known answers are searched for in what an agent is shown before the end.

    That is observations, their metadata and errors, plainly and in disguise, up to where the
    agent gave the answer itself. The level of chance is how often other tasks' answers are found
    on the same starts. An answer that was learned and stands plainly in an observation may be
    part of the task: a question, until `answer_in_observation` is declared.
    """

    id: ClassVar[str] = "semantic.no_solution_leakage"
    title: ClassVar[str] = "Is the answer kept from the agent until the end?"
    stops: ClassVar[Stops] = Fault(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(walks=scale.looks, priority=2),
            Need(walks=scale.solutions),
            Need(rung="blind", starts=scale.starts, repeats=scale.repeats),
            Need(
                rung="blind",
                starts=scale.replayed_starts,
                scripted=True,
                replays=1,
                condition="watched",
            ),
        )

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        walks = looks_again(evidence, scale)
        return (Need(walks=walks, priority=2),) if walks else ()

    def decide(self, evidence: Evidence) -> CheckResult:
        known, views = known_answers(evidence)
        if not known:
            return skipped(
                self,
                "no answer is known",
                needed="`answers: answers.jsonl` in the manifest, or an `oracle`",
            )
        others = {place: _others(place, known) for place in known}
        tries = sum(len(texts) for texts in others.values())
        hits: dict[bool, list[_Hit]] = {}
        chance: dict[bool, list[Disclosed]] = {}
        for odd in (True, False):
            hits[odd] = [
                _Hit(place=place, known=answer, found=found)
                for place, answer in known.items()
                if (found := views[place].disclosed(answer.text, odd=odd))
            ]
            chance[odd] = [
                found
                for place, texts in others.items()
                for text in texts
                if (found := views[place].disclosed(text, odd=odd))
            ]
        loud, plain = (
            _telling(hits[odd], chance[odd], known=len(known), tries=tries, level=evidence.level())
            for odd in (True, False)
        )
        measured: Measured = {
            name: share
            for odd, where in ((True, "oddly"), (False, "plainly"))
            for name, share in (
                (f"shown_{where}", (proportion(len(hits[odd]), len(known)), "answers")),
                (f"chance_{where}", (proportion(len(chance[odd]), tries), "other answers")),
            )
        }
        if evidence.manifest.envassay.answer_in_observation:
            plain = []
        if loud or plain:
            return self._failed(evidence, loud, plain, len(known), measured)
        return self._clear(evidence, known, any(hits.values()), measured)

    def _failed(
        self,
        evidence: Evidence,
        loud: list[_Hit],
        plain: list[_Hit],
        count: int,
        measured: Measured,
    ) -> CheckResult:
        sure = [hit for hit in loud if hit.known.declared or hit.found.shown.lane != "observation"]
        sure += [hit for hit in plain if hit.known.declared or _said_not_to_be(evidence)]
        shown = sure or [*loud, *plain]
        return failed(
            self,
            f"{len(shown)} of {count} known answers are shown before the end",
            findings=[_finding(evidence, hit) for hit in shown[:3]],
            measured=measured,
            question=not sure,
        )

    def _clear(
        self,
        evidence: Evidence,
        known: Mapping[Place, Known],
        shown: bool,
        measured: Measured,
    ) -> CheckResult:
        declared = sum(answer.declared for answer in known.values())
        told = f"{len(known)} answers ({declared} declared, {len(known) - declared} learned)"
        if shown and evidence.manifest.envassay.answer_in_observation:
            told = f"{told}: shown in the observation, as declared"
        elif shown:
            told = f"{told}: shown no more often than by chance"
        else:
            told = f"{told}: none is shown before the end"
        if told_by_state := states_that_show(evidence, known):
            told += f"; the state route shows {told_by_state}, which is the operator's"
        return passed(self, told, measured=measured)


def _others(place: Place, known: Mapping[Place, Known]) -> list[str]:
    """Return answers of other starts, none of them equal to this one's."""
    own = normalise(known[place].text)
    texts = dict.fromkeys(answer.text for answer in known.values() if normalise(answer.text) != own)
    return list(texts)[:MOST_OTHERS]


def _telling(
    hits: list[_Hit], chance: list[Disclosed], *, known: int, tries: int, level: float
) -> list[_Hit]:
    """Return the hits that chance does not explain.

    Their share must be above that of other answers, both at `level`. A disguised answer is telling
    by itself where no other one was found so. With no other answer to compare, only a long one is.
    """
    if not tries:
        return [hit for hit in hits if hit.found.disguised or len(hit.known.text) >= LONG]
    ours, theirs = proportion(len(hits), known), proportion(len(chance), tries)
    assert isinstance(ours, Proportion)
    assert isinstance(theirs, Proportion)
    if hits and ours.lower_bound(level) > theirs.upper_bound(level):
        return hits
    return [] if chance else [hit for hit in hits if hit.found.disguised]


def _said_not_to_be(evidence: Evidence) -> bool:
    block = evidence.manifest.envassay
    return "answer_in_observation" in block.model_fields_set and not block.answer_in_observation


def _finding(evidence: Evidence, hit: _Hit) -> Finding:
    shown, form = hit.found.shown, hit.found.form
    disguise = "plainly" if form == "plain" else f"in {form} form"
    source = (
        "that the author declares" if hit.known.declared else f"learned from {hit.known.source}"
    )
    return Finding(
        claim=f"the answer stands in the {shown.lane} before the end",
        saw=f"{hit.known.text!r:.80}, {source}, {disguise}",
        expected="nothing that says it before the agent does",
        where=f"episode {shown.row.key.path}, step {shown.step}, {shown.lane}",
        reproduce=by_hand(evidence, shown.row, steps=shown.step),
        do="Keep the answer on the server until the episode is over; or declare "
        "`answer_in_observation: true` where the task text must hold it.",
    )
