"""Is every observation what the served schema says?"""

import hashlib
import json
from collections.abc import Iterator
from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.client.frames import Json
from validator.evidence import Evidence
from validator.observations import Answer, Kind, answers_of, promised_shape
from validator.rollouts.needs import Need, Scale
from validator.schemas import Shape, TooMuch, Unusable
from validator.stopping import Fault, Stops

MOST_HELD = 400
"""Different observations held against the schema."""


class ObservationSchema:
    """RFC 008 #29: the envelope, then the observation rebuilt with its reward and end.

    What the schema says of patterns and formats is not looked at, and nothing outside of it is
    followed. What a tool environment returns at reset is held to a schema of its own, where one
    is served.
    """

    id: ClassVar[str] = "runtime.observation_schema"
    title: ClassVar[str] = "Is every observation what the served schema says?"
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
        broken = list(_envelopes(answers))
        promised: dict[Kind, Shape | Unusable | None] = {
            "reset": promised_shape(evidence, "reset"),
            "step": promised_shape(evidence, "step"),
        }
        given_up = ""
        if not broken:
            try:
                broken = list(_mismatches(answers, promised))
            except TooMuch as why:
                given_up = str(why)
        measured: Measured = {
            "malformed_share": (proportion(len(broken), len(answers)), "observations")
        }
        if broken:
            return failed(
                self,
                f"{len(broken)} of {len(answers)} observations are not what was promised: "
                f"{broken[0][1]}",
                findings=[
                    _finding(evidence, *entry)
                    for entry in {saw: (answer, saw, path) for answer, saw, path in broken}.values()
                ][:3],
                measured=measured,
            )
        unusable = [s.why for s in promised.values() if isinstance(s, Unusable)]
        if given_up or unusable:
            return skipped(
                self,
                f"the schema cannot be used: {given_up or unusable[0]}",
                needed="a JSON Schema of the observation that is whole in itself",
            )
        if promised["step"] is None:
            return skipped(self, "no schema is served", needed="`observation` at /schema")
        return passed(
            self, f"{len(answers)} observations are what the schema says", measured=measured
        )


Broken = tuple[Answer, str, str]


def _envelopes(answers: list[Answer]) -> Iterator[Broken]:
    for answer in answers:
        envelope = answer.envelope
        if not isinstance(envelope.get("observation"), dict):
            yield answer, "`observation` is no object", "$.data.observation"
        elif not isinstance(envelope.get("done"), bool):
            yield answer, "`done` is no boolean", "$.data.done"
        elif "reward" not in envelope:
            yield answer, "there is no `reward`", "$.data.reward"


def _mismatches(
    answers: list[Answer], promised: dict[Kind, Shape | Unusable | None]
) -> Iterator[Broken]:
    """Yield the observations that their schema does not allow, equal ones held once.

    Raises:
        TooMuch: the schema asks for too much work.
    """
    held: dict[tuple[Kind, str], Broken | None] = {}
    for answer in answers:
        shape = promised[answer.kind]
        observation = answer.observation
        if not isinstance(shape, Shape) or not isinstance(observation, dict):
            continue
        rebuilt: dict[str, Json] = {
            **observation,
            "reward": answer.envelope["reward"],
            "done": answer.envelope["done"],
        }
        text = json.dumps(rebuilt, sort_keys=True)
        known = (answer.kind, hashlib.sha256(text.encode()).hexdigest())
        if known not in held and len(held) < MOST_HELD:
            found = shape.mismatches(rebuilt)
            held[known] = (answer, found[0].why, found[0].path) if found else None
        if (broken := held.get(known)) is not None:
            yield answer, *broken[1:]


def _finding(evidence: Evidence, answer: Answer, saw: str, path: str) -> Finding:
    return Finding(
        claim="an observation is not what the served schema says",
        saw=saw,
        expected=f"what /schema says of an observation after a {answer.kind}",
        where=f"episode {answer.row.key.path}, step {answer.step}, {path}",
        reproduce=by_hand(evidence, answer.row, steps=answer.step),
        do="Send what the schema says, or serve the schema of what is sent. A NaN arrives as null.",
    )
