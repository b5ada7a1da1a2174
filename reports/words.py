"""Sentences on a report that every output shares, so that all of them say the same.

Text of the environment that is part of a sentence is not yet safe: the writer makes it so.
"""

from collections.abc import Iterable, Mapping

from reports import numbers
from reports.model import Learning, Measure, ModelUse, Report, Rung
from reports.spending import Ledger, Stopped

MEANING = {
    "training_value": "how much of what there is to earn training is expected to gain",
    "signal": "share of groups whose members earn different scores: what a group learns from",
    "floor": "what the best probe earns that does not look at the task",
    "ceiling": "the highest score there is to earn: declared, or the best one seen",
    "reachability": "share of the most capable probe's episodes that succeeded",
    "determinism": "share of exact repetitions that gave the same episode",
}
"""What the numbers of the headline say, for people who meet them first."""

BRIEF = {
    "training_value": "what training is expected to gain",
    "signal": "groups that teach",
    "floor": "best without looking",
    "ceiling": "most there is to earn",
    "reachability": "episodes that succeed",
    "determinism": "replays that agree",
}
"""The same in as few words as a narrow table has room for."""

VERDICT = {
    "pass": "usable for training",
    "warn": "usable with care, or not all was decided",
    "fail": "not worth training on as it is",
}

RUNG = {
    "null": "does nothing",
    "blind": "acts without looking",
    "reactive": "reacts to what it sees",
    "search": "searches",
    "learner": "learns",
    "model": "language model",
    "harness": "agent",
    "oracle": "knows the solution",
    "panel": "attacks the reward",
}

TIMED = {
    "start_wait": "wait until the server was up",
    "signal_groups_per_hour": "groups that teach, one session",
    "contention": "contention: share of the work for which sessions wait for one another",
}
"""What numbers of speed are called that their names do not tell."""

_SPEEDS = {
    "reset_p50": "median reset",
    "step_p50": "median step",
    "step_p95": "95% of steps within",
    "steps_per_second": "",
}


def climbing(report: Report) -> list[str]:
    """Return what probes that go on over episodes found, a line each."""
    lines = []
    for rung in report.ladder:
        if rung.witness:
            tried = numbers.count(rung.tried, "episodes")
            lines.append(f"{rung.probe}: the best of {tried}, walked again as {rung.witness}")
        if rung.learning is not None:
            lines.append(f"{rung.probe}: {_learning(rung.learning)}")
        if rung.cut:
            left = numbers.count(rung.cut, "episodes")
            lines.append(
                f"{rung.probe}: the clock cut it short, {left} were left: what it reached depends "
                "on speed, and another run may differ"
            )
    return lines


def _learning(found: Learning) -> str:
    told = [f"learned from {numbers.count(found.episodes, 'episodes')}"]
    if found.curve:
        first, last = found.curve[0][1], found.curve[-1][1]
        told.append(f"{numbers.number(first)} at first and {numbers.number(last)} in the end")
    told.append(f"slope {numbers.short(found.slope)}")
    told.append(f"earned {numbers.short(found.improvement)} more than untrained")
    told.append(f"{numbers.short(found.gap)} more where it learned")
    return ", ".join(told)


def success(report: Report) -> str:
    """Return how rewards become a score, and which score is a success."""
    settings = report.settings
    score = f"score: the {settings.score} of an episode's rewards"
    if settings.success_threshold is None:
        return f"{score}; no score is known to be a success"
    threshold = numbers.number(settings.success_threshold)
    return f"{score}; {threshold} or more is a success ({settings.success_threshold_from})"


def cost(report: Report) -> str:
    """Return what the run spent."""
    spent = [
        numbers.count(report.costs.episodes, "episodes"),
        numbers.count(report.costs.steps, "steps"),
    ]
    if report.costs.tokens:
        spent.append(numbers.count(report.costs.tokens, "tokens"))
    return ", ".join([*spent, numbers.seconds(report.times.seconds)])


def models(report: Report) -> dict[str, str]:
    """Return by language-model probe what it is and what it took."""
    return {name: _model(use) for name, use in report.costs.models.items()}


def _model(use: ModelUse) -> str:
    spent = [numbers.count(use.calls, "calls")]
    spent.append(numbers.count(use.prompt_tokens + use.completion_tokens, "tokens"))
    if use.money is not None:
        spent.append(f"{numbers.number(use.money)} in money")
    for amount, what in ((use.refusals, "refusals"), (use.unreadable, "replies without an action")):
        if amount:
            spent.append(numbers.count(amount, what))
    how = f"by {use.mode}, temperature {use.temperature:g}"
    return f"{use.model or 'no model'} at {use.endpoint}, {how}: {', '.join(spent)}"


def ledger(found: Ledger) -> str:
    """Return where the episodes went: each started one stands in one column."""
    columns = ", ".join(f"{amount:,} {column}" for column, amount in outcomes(found).items())
    lost = found.infrastructure
    again = f"; {lost:,} attempts lost on the way and made again" if lost else ""
    stopped = f"; stopped early: {found.stopped}" if found.stopped else ""
    return f"{found.planned:,} planned, {found.started:,} started: {columns}{again}{stopped}"


def reuse(report: Report) -> str:
    """Return which episodes are an earlier run's, or why none is; empty where none was to be."""
    found = report.reuse
    if found is None:
        return ""
    if not found.taken:
        return f"nothing was taken from an earlier run: {found.why}"
    runs = ", ".join(f"{number:,} of {run}" for run, number in found.origins.items())
    share = f"{found.taken:,} of {report.ledger.started:,} episodes"
    return f"{share} are those of an earlier run ({runs}); {found.why}"


ENDED: dict[Stopped, str] = {
    "decided": "then all was settled that the verdict rests on",
    "undecidable": "then all was settled that the verdict rests on",
    "played": "then all that the budget's scale asks for was played",
    "advisory": "then only advice was left open",
    "budget": "then the budget was spent",
    "stopped": "then it was stopped",
}
"""Why a run played no more."""


def spending(report: Report) -> str:
    """Return where a run stopped and what it went on for; empty where its size was fixed."""
    found = report.spending
    if found is None or found.looks == 1:
        return ""
    advice = {result.id for result in report.results if result.severity == "advisory"}
    longest = [
        f"{name} ({one.episodes:,} episodes)"
        for name, one in found.checks.items()
        if one.look == len(found.episodes) > 1 and name not in advice
    ]
    played = " + ".join(f"{number:,}" for number in found.episodes)
    on = f"; went on for {', '.join(longest[:3])}" if longest else ""
    more = f" and {len(longest) - 3} more" if len(longest) > 3 else ""
    return (
        f"{len(found.episodes)} of {found.looks} looks, {played} episodes, {ENDED[found.why]}"
        f"{on}{more}"
    )


def unplayed(found: Ledger) -> str:
    """Return which probes had nothing to play here, and why; empty where all played."""
    reasons: dict[str, list[str]] = {}
    for probe, why in found.unplayable.items():
        reasons.setdefault(why, []).append(probe)
    return "; ".join(f"{', '.join(probes)}: {why}" for why, probes in reasons.items())


CAPABILITY = (
    "null", "blind", "reactive", "search", "learner", "model", "harness", "oracle", "panel"
)  # fmt: skip
"""Rungs of the ladder, weakest first, and the panel that stands beside it."""


def ladder(report: Report) -> list[tuple[Rung, str]]:
    """Return what each rung's probes earned, weakest rung first, and what each probe is.

    Of the attackers only the one that earned most; of those that had nothing to play, none.
    """
    played = [rung for rung in report.ladder if rung.probe not in report.ledger.unplayable]
    climbed = sorted(
        (rung for rung in played if rung.rung != "panel"),
        key=lambda rung: CAPABILITY.index(rung.rung) if rung.rung in CAPABILITY else -1,
    )
    attackers = [rung for rung in played if rung.mean_score.estimate is not None]
    attackers = [rung for rung in attackers if rung.rung == "panel"]
    best = sorted(attackers, key=lambda rung: -(rung.mean_score.estimate or 0.0))[:1]
    return [
        *((rung, rung.rung) for rung in climbed),
        *((rung, f"best of {len(attackers)} attackers") for rung in best),
    ]


def in_order(report: Report, probes: Iterable[str]) -> list[str]:
    """Return names of probes as they stand on the ladder, weakest rung first, attackers last."""
    rungs = {rung.probe: CAPABILITY.index(rung.rung) for rung in report.ladder
             if rung.rung in CAPABILITY}  # fmt: skip
    return sorted(dict.fromkeys(probes), key=lambda probe: rungs.get(probe, len(CAPABILITY)))


def outcomes(found: Ledger) -> dict[str, int]:
    """Return how many started episodes ended in each of the five ways."""
    return {
        "scored": found.scored,
        "absent": found.absent,
        "error": found.error,
        "timeout": found.timeout,
        "refused": found.refused,
    }


def sessions(served: int, refused_at: int | None, group_size: int) -> str:
    """Return how many sessions were served at once, and whether a group fits."""
    found = f"{served} served at once"
    if served >= group_size:
        return f"{found}: enough for groups of {group_size}"
    if refused_at is None:
        return f"{found}, more were not tried (a group has {group_size})"
    return f"{found}, number {refused_at} refused: too few for groups of {group_size}"


def methods(found: Mapping[str, Measure]) -> str:
    """Return how the numbers were reached, each method once with the numbers it is behind.

    Example:
        >>> methods({"a": Measure(estimate=0.5, method="Wilson score")})
        'Wilson score'
    """
    by_method: dict[str, list[str]] = {}
    for name, measure in found.items():
        if measure.estimate is not None and measure.method:
            by_method.setdefault(measure.method, []).append(name)
    if len(by_method) == 1:
        return next(iter(by_method))
    return "; ".join(f"{', '.join(names)}: {method}" for method, names in by_method.items())


def speed(report: Report) -> str:
    """Return how fast the environment answered; empty where nothing was timed."""
    return ", ".join(
        f"{word} {numbers.short(found)}".lstrip()
        for name, word in _SPEEDS.items()
        if (found := report.times.measures.get(name)) and found.estimate is not None
    )


def made_by(report: Report) -> str:
    """Return which rules and which version stand behind the verdict."""
    verdict, tool = report.verdict, report.tool
    return (
        f"policy {verdict.policy} {verdict.policy_version}, {tool.name} {tool.version}, "
        f"budget {report.settings.budget}, seed {report.settings.seed}"
    )
