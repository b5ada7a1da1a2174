"""From results to what to do next, in plain words. Knows nothing but the report."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from reports.lines import effect, reason_of
from reports.model import CheckResult, Measure, Report
from reports.numbers import full

Move: TypeAlias = Literal[
    "train", "fix the grader", "fix first", "make it easier", "make it harder",
    "needs a stronger model", "skip", "cannot tell yet",
]  # fmt: skip

GRADER: frozenset[str] = frozenset(
    {
        "runtime.reward_well_formed", "semantic.oracle_max", "semantic.floor_gap",
        "semantic.canary_floor", "semantic.verifier_determinism", "statistical.variance_bound",
        "statistical.training_signal", "statistical.adversarial_floor",
        "statistical.gameability_gap", "reward.tamper", "reward.per_task", "episode.after_done",
    }
)  # fmt: skip
"""Checks that fail for how episodes are scored, and not for how they are played."""


UNPAID, BEATEN = "solutions are not paid", "solutions are beaten"
"""How the method of a training value ends that is zero because the reward is not what is meant."""

LEAST_SIGNAL = 0.05
"""Share of groups that teach below which most of a training run would be wasted."""
LEAST_VALUE = 0.05
"""Share of the range of scores that a training run must promise."""
MOST_OPEN = 0.5
"""Share of the range up to which a training run may still gain where it is said to gain nothing."""
LEAST_ROOM = 0.1
"""Share of what was ever earned that must lie above what can be had without looking."""


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

    - *fix the grader*, *fix first*: something that the policy calls fatal and does not waive was
      found, in how episodes are scored or elsewhere; or declared solutions earn no more than
      random play, or less than a learner;
    - *make it harder*: next to all there is to earn is had without looking;
    - *skip*: scores differ, and yet a learner did not rise, nor was much more to be seen;
    - *needs a stronger model*: nothing to learn from was earned, but a search found the way;
    - *make it easier*: nothing to learn from was earned at all;
    - *cannot tell yet*: nothing fatal was found, but a question that could be fatal stayed
      open, a check of ours broke, or what training gains was not measured or may be too small;
    - *train*: none of these. A warning is named as the care to take.
    """
    results = [one for one in report.results if effect(one, report.verdict) != "waived"]
    fatal = [result for result in results if is_blocking(result)]
    if fatal:
        move: Move = "fix the grader" if fatal[0].id in GRADER else "fix first"
        return Advice(move, to_do(fatal[0]) + _more(len(fatal) - 1, "more to fix"))
    broken = [result for result in results if result.status == "error"]
    if broken:
        return Advice("cannot tell yet", f"{broken[0].id} broke. {to_do(broken[0])}")
    verdict = report.verdict
    missed = [one for one in verdict.rules if one.status == "fail" and one.severity == "fail"]
    missed = [one for one in missed if effect(one, verdict) == "fails"]
    if missed:
        more = _more(len(missed) - 1, "more to fix")
        return Advice("fix first", _sentence(reason_of(missed[0])) + more)
    undecided = [r for r in results if r.status == "skip" and r.severity == "fail"]
    if undecided:
        first = undecided[0]
        return Advice(
            "cannot tell yet",
            f"{first.id} is open. {to_do(first)}" + _more(len(undecided) - 1, "more open"),
        )
    if report.verdict.status == "fail":  # fatal by a rule that is not in the results
        return Advice("fix first", _sentence(next(iter(report.verdict.reasons), "no reason given")))
    gained = _by_value(report)
    if gained is not None:
        return gained
    if _room(report) < LEAST_ROOM:
        return _too_easy(report)
    signal = report.headline.get("signal")
    if signal is None or signal.estimate is None:
        why = "it was not measured" if signal is None else signal.undefined
        return Advice("cannot tell yet", f"nothing is known of the training signal ({why}).")
    if signal.low is not None and signal.low < LEAST_SIGNAL:
        return _weak(signal)
    return _worth_it(report)


def _worth_it(report: Report) -> Advice:
    """Return the advice to train, with the care to take."""
    warnings = [result for result in report.results if is_warning(result)]
    if warnings:
        return Advice(
            "train",
            f"with care. {to_do(warnings[0])}" + _more(len(warnings) - 1, "more to mind"),
        )
    return Advice("train", f"nothing that was checked speaks against it.{_gain_unknown(report)}")


def _gain_unknown(report: Report) -> str:
    """Return how to know what training gains, empty where it is known."""
    value = report.headline.get("training_value")
    if value is None:
        return " To know what it gains: --probes default,learner."
    if value.estimate is None:
        return _sentence(f" What it gains is not known: {value.undefined}")
    return ""


def _by_value(report: Report) -> Advice | None:
    """Return what to do by what training is expected to gain, None where that is not known."""
    value = report.headline.get("training_value")
    if value is None or value.estimate is None:
        return None
    found = full(value, counted=True)
    if value.low is not None and value.low >= LEAST_VALUE:
        return _worth_it(report)
    if value.estimate >= LEAST_VALUE or (value.high is not None and value.high > MOST_OPEN):
        return Advice(
            "cannot tell yet",
            f"there is more to earn, but a learner did not surely rise to it ({found}). "
            "To know: a larger --budget.",
        )
    if _room(report) < LEAST_ROOM:
        return _too_easy(report)
    if value.method.endswith((UNPAID, BEATEN)):
        return _meant_otherwise(value)
    signal = report.headline.get("signal")
    if signal is not None and (signal.low or 0.0) >= LEAST_SIGNAL:
        return Advice("skip", f"scores differ, but a learner did not rise ({found}).")
    if any(rung.rung == "search" and rung.success_rate.estimate for rung in report.ladder):
        return Advice(
            "needs a stronger model",
            f"a search found how it is done, chance and a small learner did not ({found}).",
        )
    return Advice(
        "make it easier", f"neither chance nor a learner earned anything to learn from ({found})."
    )


def _meant_otherwise(value: Measure) -> Advice:
    """Return what to do where declared solutions show that the reward is not what is meant."""
    if value.method.endswith(UNPAID):
        why = "the declared solutions earn no more than random play. Pay for what they do, or mend"
        return Advice("fix the grader", f"{why} them.")
    return Advice(
        "fix the grader",
        "a learner earns more than the declared solutions. See what it is paid for, and pay for "
        "what they do.",
    )


def _too_easy(report: Report) -> Advice:
    floor = full(report.headline["floor"], counted=True)
    return Advice(
        "make it harder", f"next to all there is to earn is had without looking ({floor})."
    )


def _room(report: Report) -> float:
    """Return the share of the scores seen that lies above the floor, all where it is not known."""
    floor, top = (
        measure.estimate if measure is not None else None
        for measure in (report.headline.get(name) for name in ("floor", "ceiling"))
    )
    lows = [rung.score_low for rung in report.ladder if rung.score_low is not None]
    if floor is None or top is None or not lows or top <= min(lows):
        return 1.0
    return (top - floor) / (top - min(lows))


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
