"""From results to what to do next, in plain words. Knows nothing but the report."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from reports.model import CheckResult, Measure, Report
from reports.numbers import full

Move: TypeAlias = Literal["train", "fix first", "cannot tell yet"]


LEAST_SIGNAL = 0.05
"""Share of groups that teach below which most of a training run would be wasted."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next, and why."""

    move: Move
    why: str

    @property
    def line(self) -> str:
        """Return the advice as one sentence."""
        return f"{self.move.capitalize()}: {self.why}"


def next_step(report: Report) -> Advice:
    """Return what to do with the environment.

    - *fix first*: something that the policy calls fatal was found;
    - *cannot tell yet*: nothing fatal was found, but a question that could be fatal stayed
      open, a check of ours broke, or the training signal was not measured or may be too small;
    - *train*: none of these. A warning is named as the care to take.
    """
    fatal = [result for result in report.results if is_blocking(result)]
    if fatal:
        return Advice("fix first", to_do(fatal[0]) + _more(len(fatal) - 1, "more to fix"))
    broken = [result for result in report.results if result.status == "error"]
    if broken:
        return Advice("cannot tell yet", f"{broken[0].id} broke. {to_do(broken[0])}")
    undecided = [r for r in report.results if r.status == "skip" and r.severity == "fail"]
    if undecided:
        first = undecided[0]
        return Advice(
            "cannot tell yet",
            f"{first.id} is open. {to_do(first)}" + _more(len(undecided) - 1, "more open"),
        )
    if report.verdict.status == "fail":  # fatal by a rule that is not in the results
        return Advice("fix first", _sentence(next(iter(report.verdict.reasons), "no reason given")))
    signal = report.headline.get("signal")
    if signal is None or signal.estimate is None:
        why = "it was not measured" if signal is None else signal.undefined
        return Advice("cannot tell yet", f"nothing is known of the training signal ({why}).")
    if signal.low is not None and signal.low < LEAST_SIGNAL:
        return _weak(signal)
    warnings = [result for result in report.results if is_warning(result)]
    if warnings:
        return Advice(
            "train",
            f"with care. {to_do(warnings[0])}" + _more(len(warnings) - 1, "more to mind"),
        )
    return Advice("train", "nothing that was checked speaks against it.")


def _weak(signal: Measure) -> Advice:
    """Return what to do where few groups teach, or may be few."""
    found = full(signal, counted=True)
    if signal.high is not None and signal.high < LEAST_SIGNAL:
        return Advice(
            "train", f"with care. Few groups teach ({found}): use larger groups, or easier tasks."
        )
    return Advice(
        "cannot tell yet",
        f"few groups may teach ({found}). To know: a larger --budget, or a more capable probe.",
    )


def to_do(result: CheckResult) -> str:
    """Return what to do about one answer, in one line; empty where there is nothing to do."""
    match result.status:
        case "pass":
            return ""
        case "fail":
            first = next((finding.do for finding in result.findings if finding.do), "")
            return first or _sentence(f"See why {result.id} failed: {result.reason}")
        case "skip":
            return _sentence(f"To decide it: {result.needed}" if result.needed else result.reason)
        case "error":
            return "That is our fault, not the environment's: please report it with the run's log."


def is_blocking(result: CheckResult) -> bool:
    """Return whether an answer alone makes training not worth it."""
    return result.status == "fail" and result.severity == "fail" and not result.question


def is_warning(result: CheckResult) -> bool:
    """Return whether an answer asks for care in training."""
    return result.status == "fail" and result.severity == "warn" and not result.question


def weight(result: CheckResult) -> str:
    """Return what a failed answer counts as: `fail`, `warn` or `advisory`."""
    return "advisory" if result.question else result.severity


def _more(amount: int, what: str) -> str:
    return f" ({amount} {what})" if amount else ""


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
