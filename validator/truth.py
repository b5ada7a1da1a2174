"""What the author's own measure of success says of an episode, beside its reward."""

from validator.client.frames import Json
from validator.client.reading import LARGEST, StateRead, read
from validator.evidence import Evidence
from validator.table import Row

SUCCESS = 1.0
"""Number from which a graded truth is a success."""


def truth_of(evidence: Evidence, row: Row) -> float | None:
    """Return how far an episode truly succeeded, None where the declared field does not say.

    The field is a path: `state.solved` in the state read after the end, `observation.…` or
    `metadata.…` in what came back last. True is 1, false is 0, a number is itself; one that is not
    finite, or too large to reckon with, says nothing.
    """
    name = evidence.manifest.envassay.success_field
    if name is None or not row.steps:
        return None
    place, _, rest = name.partition(".")
    value: Json = _state(evidence, row) if place == "state" else dict(evidence.trace(row)[-1])
    for part in (rest if place == "state" else name).split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if not isinstance(value, bool | int | float) or not abs(value) <= LARGEST:
        return None
    return float(value)


def _state(evidence: Evidence, row: Row) -> Json:
    """Return the state that was read last, None where none was."""
    for frame in reversed(evidence.table.frames(row)):
        if frame.way == "received":
            reading = read(frame.text)
            return reading.state if isinstance(reading, StateRead) else None
    return None
