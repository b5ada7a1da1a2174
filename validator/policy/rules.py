"""What a policy may demand beyond the severities: bounds, declarations, waivers, comparisons."""

import re
from datetime import date, datetime
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator

from reports.model import CheckId, Severity

MetricName: TypeAlias = Annotated[str, Field(pattern=r"^[^/\s]+/[^/\s]+$")]
Line: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=300, pattern=r"^[^\r\n]*[^\s][^\r\n]*$")
]
"""One line of text that is not blank."""
ENDS = {"low": 0, "estimate": 1, "high": 2}
"""A number between the ends of its interval, from the least on."""


def _day(value: object) -> object:
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ValueError("write a day without a time, such as 2030-05-31")
    return value


Day: TypeAlias = Annotated[date, BeforeValidator(_day)]
"""A day of the calendar; a time is refused, which is another day elsewhere."""


class Part(BaseModel):
    """A piece of a policy: unknown keys are refused, and values of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Threshold(Part):
    """A bound on a number of the report, or on an end of its interval."""

    metric: MetricName
    """`headline/signal`, `semantic.floor_gap/gap`, `probe:random/mean_score`, `times/step_p95`,
    `ledger/error_share`."""
    bound: Literal["estimate", "low", "high"] = "estimate"
    """What is compared: the number itself, or the lower or upper end of its interval."""
    at_least: FiniteFloat | None = None
    at_most: FiniteFloat | None = None
    group_size: Annotated[int, Field(ge=2)] | None = None
    """Only decided in a run for groups of this size."""
    severity: Severity = "fail"

    @model_validator(mode="after")
    def _says_something(self) -> "Threshold":
        low, high = self.at_least, self.at_most
        if low is None and high is None:
            raise ValueError("name at_least or at_most")
        if None not in (low, high) and low > high:  # type: ignore[operator]
            raise ValueError(f"at_least {low:g} contradicts at_most {high:g}")
        return self

    @property
    def words(self) -> str:
        """Return the rule as people would say it."""
        end = {"estimate": "", "low": "lower bound of ", "high": "upper bound of "}[self.bound]
        group = f" at G={self.group_size}" if self.group_size else ""
        sides = [
            f"{sign} {value:.12g}{' s' if is_duration(self.metric) else ''}"
            for sign, value in ((">=", self.at_least), ("<=", self.at_most))
            if value is not None
        ]
        return f"{end}{self.metric}{group} {' and '.join(sides)}"


def is_duration(metric: str) -> bool:
    """Say whether a number is a time in seconds."""
    return metric.startswith("times/") and metric.endswith(("_p50", "_p95", "_wait"))


class Declarations(Part):
    """What the author must say of the environment."""

    required: list[Annotated[str, Field(pattern=r"^(envassay|validation)(\.[a-z_]+)+$")]] = []
    """Fields of the manifest by their path: `envassay.score_range`."""
    severity: Severity = "fail"


Comparable: TypeAlias = Literal[
    "scores", "signal", "determinism", "failures", "latency", "version", "shown"
]
"""What a comparison with an earlier report may find worse, besides checks."""


class Waiver(Part):
    """A failure that is put up with, for a while."""

    check: CheckId | Comparable
    """Id of a check, or what a comparison with an earlier report found worse."""
    reason: Line
    owner: Line
    expires: Day
    """Last day on which it holds, in UTC."""


class Rules(Part):
    """What the verdict makes of answers that are neither pass nor fail."""

    undecided: Literal["warn", "fail"] = "warn"
    """A question of severity `fail` that stayed open."""
    any_skip: Literal["ignore", "warn"] = "ignore"
    """A question of a lesser severity that stayed open."""
    advisory: Literal["ignore", "warn"] = "ignore"
    """A failure of severity `advisory`."""
    questions: Literal["advisory", "failure"] = "advisory"
    """A failure that a declaration of the author would settle."""


class Comparison(Part):
    """How bad it is to be worse than an earlier report."""

    regressions: Severity = "fail"
    """Scores, signal, determinism or failures that changed for sure."""
    new_findings: Severity = "fail"
    """A check of severity `warn` or `fail` that passed then and fails now."""
    latency: Severity = "warn"
    """Steps that take at least twice as long; two machines may differ."""
    silent_change: Severity = "warn"
    """What the server says of itself or its starts show changed, and its version did not."""
