"""Do the fields that the schema promises arrive, and each always with its type?"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.observations import Answer, Kind, answers_of, promised_shape
from validator.rollouts.needs import Need, Scale
from validator.schemas import Shape, json_type, names, part, promised_types
from validator.stopping import Fault, Stops

OURS = frozenset({"reward", "done", "metadata"})
"""Fields of the schema that the server sends beside the observation, or not at all."""
KINDS: tuple[Kind, ...] = ("reset", "step")
MANY = 10
"""Observations without a field before it is said never to arrive."""


@dataclass(slots=True)
class _Seen:
    """What was seen of one field over all observations of a kind."""

    types: Counter[str] = field(default_factory=Counter)
    first: dict[str, Answer] = field(default_factory=dict)
    """The first observation with each type, `missing` among them."""


class Delivery:
    """Holds every observation against the promised fields, and each field against itself.

    A field that the schema requires must be there each time. One that it does not require and
    that never arrives is a question. A field whose type changes fails where the schema promises
    another one, or promises nothing; null counts for no type.
    """

    id: ClassVar[str] = "wire.delivery"
    title: ClassVar[str] = "Do promised fields arrive, each always with its type?"
    stops: ClassVar[Stops] = Fault(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(rung="null", starts=scale.starts),
            Need(rung="blind", starts=scale.starts),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        answers = answers_of(evidence)
        if not answers:
            return skipped(self, "no observation arrived", needed="an environment that resets")
        measured: Measured = {"observations": (float(len(answers)), "observations")}
        faults: list[Finding] = []
        questions: list[Finding] = []
        for kind in KINDS:
            part_of = [answer for answer in answers if answer.kind == kind]
            promised = promised_shape(evidence, kind)
            shape = promised if isinstance(promised, Shape) else None
            for name, seen in _fields(part_of, shape).items():
                for finding, sure in _judge(evidence, kind, name, seen, shape):
                    (faults if sure else questions).append(finding)
        if faults or questions:
            found = faults or questions
            return failed(
                self,
                "; ".join(dict.fromkeys(finding.claim for finding in found[:3])),
                findings=found[:3],
                measured=measured,
                question=not faults,
            )
        return passed(
            self,
            f"all promised fields arrived in {len(answers)} observations, each with its type",
            measured=measured,
        )


def _fields(answers: Sequence[Answer], shape: Shape | None) -> Mapping[str, _Seen]:
    named = [*names(shape, "properties"), *names(shape, "required")] if shape else []
    promised = [name for name in named if name not in OURS]
    found: dict[str, _Seen] = {name: _Seen() for name in promised}
    for answer in answers:
        values: dict[str, Any] = answer.observation if isinstance(answer.observation, dict) else {}
        for name in {**dict.fromkeys(found), **values}:
            if name == "metadata":
                continue
            kind = json_type(values[name]) if name in values else "missing"
            seen = found.setdefault(name, _Seen())
            seen.types[kind] += 1
            seen.first.setdefault(kind, answer)
    return found


def _judge(
    evidence: Evidence, kind: str, name: str, seen: _Seen, shape: Shape | None
) -> Iterator[tuple[Finding, bool]]:
    """Yield what is wrong with a field, each with whether no healthy environment does it."""
    schema = part(shape, name) if shape else None
    required = shape is not None and name in names(shape, "required")
    absent, there = seen.types["missing"], seen.types.total() - seen.types["missing"]
    if required and absent:
        how = f"in {absent} of {absent + there} observations" if there else "at all"
        yield (
            _finding(
                evidence,
                seen.first["missing"],
                claim=f"the required field {name!r} does not arrive",
                saw=f"no {name!r} {how} after a {kind}",
                expected="a field in each observation, as the schema says",
            ),
            True,
        )
    elif schema is not None and not there and absent >= MANY:
        yield (
            _finding(
                evidence,
                seen.first["missing"],
                claim=f"the field {name!r} never arrives",
                saw=f"no {name!r} in {absent} observations after a {kind}",
                expected="the field, at least now and then",
            ),
            False,
        )
    types = [found for found in seen.types if found not in ("missing", "null")]
    promised = promised_types(shape, schema) if shape else None
    if len(types) > 1 and promised is None and schema is not None:
        return  # the schema leaves the type open
    odd = [t for t in types if promised is not None and t not in promised]
    if odd or (len(types) > 1 and promised is None):
        yield (
            _finding(
                evidence,
                seen.first[odd[0] if odd else types[1]],
                claim=f"the field {name!r} changes its type"
                if len(types) > 1
                else f"the field {name!r} is of another type than promised",
                saw=" and ".join(sorted(types)),
                expected=" or ".join(sorted(promised)) if promised else "one type",
            ),
            promised is not None,
        )


def _finding(evidence: Evidence, answer: Answer, *, claim: str, saw: str, expected: str) -> Finding:
    return Finding(
        claim=claim,
        saw=saw,
        expected=expected,
        where=f"episode {answer.row.key.path}, step {answer.step}, $.data.observation",
        reproduce=by_hand(evidence, answer.row, steps=answer.step),
        do="Send what the schema promises, or let the schema say what is sent: optional fields "
        "with a default, several types as a union.",
    )
