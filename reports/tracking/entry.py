"""One environment of the index: what places and finds it, and the rest of it, packed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from reports.model import Measure, VerdictStatus
from reports.standing import Standing, Step
from reports.tracking.read import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """One run, ready to be put into the index."""

    began: int
    """Start of the validation, milliseconds since the epoch."""
    ended: int
    """When it was logged, the same."""
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One validation as a point of a trend."""

    began: int
    verdict: str
    signal: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The newest validation of one environment, as it is searched and sorted.

    What places and finds it is at hand; the rest is unpacked when it is asked for.
    """

    run_id: str
    verdict: VerdictStatus
    name: str
    url: str
    advice: str
    tags: tuple[str, ...]
    words: str
    """What a search looks at, without regard to case."""
    packed: str
    """The standing, as text."""
    ends: Mapping[tuple[str, str], float | None]
    """Numbers that rank, by name and end of the interval."""
    past: Callable[[], tuple[Past, ...]] = field(compare=False)

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """Return the standing, still packed."""
        found: Mapping[str, Any] = json.loads(self.packed)
        return found

    @property
    def trend(self) -> tuple[Past, ...]:
        """Return its last validations, the oldest first, this one included."""
        return self.past()

    @property
    def row(self) -> Row:
        """Return it whole."""
        return Row(run_id=self.run_id, standing=unpacked(self.facts))

    def number(self, name: str, end: str = "estimate") -> float | None:
        """Return a number of the headline or one end of its interval, None where unknown."""
        if (name, end) in self.ends:
            return self.ends[name, end]
        found = self.facts["headline"].get(name, {}).get(end)
        return found if isinstance(found, int | float) else None


def packed(found: Standing) -> str:
    """Return a row as JSON text."""
    facts = {name: getattr(found, name) for name in found.__dataclass_fields__}
    facts["headline"] = {
        name: measure.model_dump(mode="json", exclude_defaults=True)
        for name, measure in found.headline.items()
    }
    facts["ladder"] = [
        [step.rung, step.probe, step.score.model_dump(mode="json", exclude_defaults=True)]
        for step in found.ladder
    ]
    return json.dumps(facts)


def unpacked(facts: Mapping[str, Any]) -> Standing:
    """Return a row from its parsed text."""
    headline = {}
    for name, told in facts["headline"].items():
        try:
            headline[name] = Measure.model_validate(told)
        except ValidationError:  # edited by hand: the number is not there
            continue
    ladder = tuple(
        Step(rung=rung, probe=probe, score=Measure.model_validate(score))
        for rung, probe, score in facts["ladder"]
    )
    known = {name: facts[name] for name in Standing.__dataclass_fields__ if name in facts}
    tags = tuple(facts.get("tags", ()))
    return Standing(**{**known, "headline": headline, "ladder": ladder, "tags": tags})
