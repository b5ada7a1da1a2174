"""Which numbers of a report a threshold may name, and between which values they lie.

What a check measures is its own and is not listed: only a report shows it.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from validator.policy.rules import Threshold

SHARES = frozenset({"signal", "reachability", "determinism", "success_rate"})
"""Between 0 and 1, as are all of the ledger."""
COLUMNS = ("scored", "absent", "error", "timeout", "refused")
NAMES: dict[str, tuple[str, ...]] = {
    "headline": (
        "signal", "floor", "ceiling", "reachability", "determinism", "training_value",
    ),
    "times": (
        "connect_p50", "connect_p95", "reset_p50", "reset_p95", "step_p50", "step_p95",
        "start_wait", "steps_per_second", "signal_groups_per_hour", "contention",
    ),
    "ledger": tuple(f"{column}_share" for column in COLUMNS),
    "probe:NAME": ("mean_score", "success_rate"),
}  # fmt: skip


def out_of_reach(threshold: Threshold) -> Iterator[str]:
    """Yield what is wrong with a threshold that no report can decide, or nothing can meet."""
    metric = threshold.metric
    place, _, name = metric.partition("/")
    kind = "probe:NAME" if place.startswith("probe:") and place != "probe:" else place
    if kind not in NAMES:
        yield f"{metric}: begin with headline, times, ledger, probe:NAME or a check"
        return
    if name not in NAMES[kind]:
        near = get_close_matches(name, NAMES[kind], n=1)
        known = ", ".join(NAMES[kind])
        hint = f"did you mean {near[0]!r}?" if near else f"known: {known}"
        yield f"{metric}: no report has such a number ({hint})"
        return
    share = name in SHARES or kind == "ledger"
    low = 0.0 if share or kind == "times" else None
    beyond = share and threshold.at_least is not None and threshold.at_least > 1.0
    below = low is not None and threshold.at_most is not None and threshold.at_most < low
    if beyond or below:
        where = "between 0 and 1" if share else "above 0"
        yield f"{threshold.words}: nothing can meet it, that number lies {where}"
