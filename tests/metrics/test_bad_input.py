"""Every public function under every kind of bad input: a typed error or `Undefined`, no silence.

Each function stands here with arguments that it accepts, and the kind of each; a function that is
missing here fails a test. Warnings are errors in this project, so none is numpy's.
"""

from collections.abc import Callable
from types import FunctionType

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import MetricsError, Undefined

N = 40
RNG = np.random.default_rng(0)
SCORES = RNG.random(N).round(2)
OTHER = RNG.random(N).round(2)
TASKS = np.repeat(range(8), 5)
TRUTH = SCORES > 0.5
WINS, TRIES = RNG.binomial(8, 0.5, 12), np.full(12, 8)
TABLE = RNG.random((24, 6))
STEP = [{"observation": 1, "reward": 0.0}]


def rng():
    return np.random.default_rng(1)


def mean(scores):
    return metrics.mean_score(scores, bounds=(0, 1))


LIVE = metrics.live_group_share(SCORES, TASKS, group_size=2)
LEARNED = metrics.learnability(SCORES, TASKS, score_range=(0, 1))
QUALITY = metrics.verifier_quality(9, 10, 1, 10)
NOISE = metrics.noise_floor(SCORES, TASKS, bounds=(0, 1))

GROUPED = {"scores": ("numbers", SCORES), "tasks": ("labels", TASKS)}
PAIRED = {"scores": ("numbers", SCORES), "other": ("numbers", OTHER)}
PER_TASK = {"successes_per_task": ("counts", WINS), "attempts_per_task": ("counts", TRIES)}
BOTH = {"strong": ("mapping", {"a": SCORES, "b": OTHER}), "weak": ("mapping", {"a": OTHER})}
TWO_SHARES = {
    "successes": ("count", 3), "n": ("count", 9), "other_successes": ("count", 1),
    "other_n": ("count", 8),
}  # fmt: skip
SHARE = {"successes": ("count", 3), "n": ("count", 9)}
LEARNT = {"learned": ("estimate", LEARNED), "group_size": ("count", 4)}
VALUES = {"values": ("numbers", SCORES)}

PUBLIC: dict[str, dict[str, tuple[str, object]]] = {
    "advantage_energy": LEARNT,
    "adversarial_floor": {
        "attackers": ("mapping", {"a": SCORES}), "blind": ("mapping", {"b": OTHER}),
    },
    "benjamini_hochberg": {"p_values": ("numbers", SCORES)},
    "best_of_n_gain": GROUPED | {"n": ("count", 2)},
    "betting_sequence": {
        "scores": ("numbers", SCORES), "bounds": ("range", (0, 1)), "grid": ("count", 50),
    },
    "bootstrap_estimate": {
        "scores": ("numbers", np.tile(SCORES, 3)), "rng": ("fixed", rng()),
        "strata": ("labels", np.tile(TASKS, 3)), "resamples": ("count", 200),
    },
    "channel_agreement": {"pairs": ("fixed", [(STEP, STEP)])},
    "condition_agreement": {
        "agree": ("mapping of truths", {"fresh": [True] * 9, "reused": [False] * 9}),
        "baseline": ("fixed", "fresh"),
    },
    "corrected_success": SHARE | {"quality": ("fixed", QUALITY)},
    "diverges": {"a": ("fixed", STEP), "b": ("fixed", STEP)},
    "drift": VALUES | {"positions": ("optional numbers", np.arange(N))},
    "empirical_bernstein_sequence": {
        "scores": ("numbers", SCORES), "bounds": ("range", (0, 1)),
    },
    "first_action_effect": {
        "returns": ("numbers", SCORES), "starts": ("labels", TASKS),
        "first_actions": ("labels", np.arange(N) % 2), "rng": ("fixed", rng()),
        "resamples": ("count", 99),
    },
    "first_divergence": {"a": ("fixed", STEP), "b": ("fixed", STEP)},
    "fisher_exact": TWO_SHARES,
    "floor": {
        "scores_by_probe": ("mapping", {"a": SCORES, "b": OTHER}), "bounds": ("range", (0, 1)),
    },
    "frontier_mass": PER_TASK,
    "group_reward_entropy": GROUPED | {"group_size": ("count", 2)},
    "headroom": {
        "strong": ("estimate", mean(SCORES)), "floor": ("estimate", mean(SCORES / 2)),
        "ceiling": ("number", 1.0),
    },
    "holm": {"p_values": ("numbers", SCORES)},
    "interquartile_mean": {"samples": ("fixed", SCORES[np.newaxis])},
    "inversions": BOTH,
    "item_responses": {
        "successes": ("table", (TABLE > 0.5).astype(int)),
        "attempts": ("table", np.ones((24, 6), dtype=int)),
    },
    "item_rest_correlation": {"table": ("table", TABLE)},
    "jonckheere_terpstra": {
        "scores": ("numbers", SCORES), "tiers": ("numbers", np.arange(N) % 3),
        "blocks": ("labels", TASKS),
    },
    "learnability": GROUPED | {"score_range": ("range", (0, 1))},
    "learnable_share": GROUPED | {"trajectories": ("labels", np.arange(N) // 2)},
    "level_at_looks": {"level": ("number", 0.95), "looks": ("count", 4)},
    "live_group_share": GROUPED | {"group_size": ("count", 2)},
    "live_group_share_at_least": GROUPED | {"group_size": ("count", 9)},
    "mcnemar": {"only_first": ("count", 3), "only_second": ("count", 1)},
    "mean_score": {
        "scores": ("numbers", SCORES), "clusters": ("labels", TASKS), "bounds": ("range", (0, 1)),
    },
    "nested_components": {
        "scores": ("numbers", SCORES),
        "levels": ("mapping of labels", {"task": TASKS, "seed": np.arange(N) // 2}),
    },
    "noise_floor": GROUPED | {"bounds": ("range", (0, 1))},
    "page_trend": {"table": ("table", TABLE)},
    "paired_difference": PAIRED | {"bounds": ("range", (0, 1))},
    "paired_permutation": PAIRED | {"rng": ("fixed", rng()), "resamples": ("count", 99)},
    "pass_all_k": PER_TASK | {"k": ("count", 2)},
    "pass_at_k": PER_TASK | {"k": ("count", 2)},
    "policy_information_capacity": {
        "returns": ("table", TABLE), "rng": ("fixed", rng()), "bins": ("count", 4),
    },
    "proportion": SHARE,
    "proportion_difference": TWO_SHARES,
    "quantile": VALUES | {"q": ("number", 0.5)},
    "rank": {"estimates": ("fixed", {"a": LIVE})},
    "rank_correlation": {"scores": ("numbers", SCORES), "truth": ("numbers", OTHER)},
    "rank_sum": PAIRED,
    "reachability": SHARE,
    "repeats_needed": {
        "within": ("number", 0.2), "tasks": ("count", 9), "standard_error": ("number", 0.1),
    },
    "replay_agreement": {"agree": ("truths", TRUTH)},
    "reward_shape": VALUES | {"lengths": ("optional counts", np.full(8, 5))},
    "score_auc": {"scores": ("numbers", SCORES), "succeeded": ("truths", TRUTH)},
    "seed_control": {"labels": ("mapping of counts", {"a": [1, 1], "b": [2, 2]})},
    "select_best": {
        "estimates": ("fixed", {"a": LIVE, "b": LIVE}), "count": ("count", 1),
        "tolerance": ("number", 0.0), "level": ("number", 0.9),
    },
    "signal_groups_per_cost": {
        "live": ("estimate", LIVE), "group_size": ("count", 2),
        "cost_per_episode": ("number", 2.0), "unit": ("fixed", "second"),
    },
    "signal_groups_per_episode": {"live": ("estimate", LIVE), "group_size": ("count", 2)},
    "signal_to_noise": {
        "tiers": ("fixed", [mean(SCORES), mean(OTHER)]), "noise": ("estimate", NOISE),
    },
    "spread": GROUPED,
    "success_failure_pairs": LEARNT,
    "success_rate": {"scores": ("numbers", SCORES), "threshold": ("number", 0.5)},
    "superiority": BOTH,
    "task_states": {
        "weak": ("fixed", [(0, 8), (8, 8)]), "strong": ("fixed", [(8, 8), (8, 8)]),
    },
    "throughput_scaling": {
        "sessions": ("numbers", [1, 2, 4, 8, 16]), "throughput": ("numbers", [9, 17, 30, 50, 70]),
    },
    "training_value": {
        "learned": ("numbers", SCORES), "random": ("numbers", OTHER),
        "random_tasks": ("labels", TASKS), "bounds": ("range", (0, 1)),
        "solutions": ("numbers", OTHER), "solution_tasks": ("labels", TASKS),
    },
    "top_scored_failures": {"scores": ("numbers", SCORES), "succeeded": ("truths", TRUTH)},
    "trials_to_see": {"rate": ("number", 0.1), "power": ("number", 0.9)},
    "verifier_quality": {
        "accepted_good": ("count", 9), "good": ("count", 10), "accepted_bad": ("count", 1),
        "bad": ("count", 10),
    },
    "zero_signal_fraction": GROUPED | {"group_size": ("count", 2)},
}  # fmt: skip


def with_first(value, found):
    """Return a list whose first element is another one."""
    return [value, *list(found)[1:]]


NUMBERS: dict[str, Callable] = {
    "a null": lambda found: with_first(None, found),
    "nulls only": lambda found: [None] * len(found),
    "NaN": lambda found: with_first(np.nan, found),
    "infinite": lambda found: with_first(-np.inf, found),
    "pandas NA": lambda found: pd.Series(with_first(pd.NA, found), dtype="Float64"),
    "pandas NA among objects": lambda found: pd.Series(with_first(pd.NA, found), dtype=object),
    "pandas NaT": lambda found: pd.Series([pd.NaT] * len(found)),
    "beyond 1e100": lambda found: with_first(1e200, found),
    "an integer beyond floats": lambda found: with_first(10**400, found),
    "text": lambda found: [str(value) for value in found],
    "text among numbers": lambda found: with_first("0.5", found),
    "bytes": lambda found: with_first(b"1", found),
    "complex": lambda found: np.asarray(found) + 1j,
    "times": lambda found: np.asarray(range(len(found)), dtype="datetime64[s]"),
    "categories": lambda found: pd.Series([str(value) for value in found], dtype="category"),
    "ragged": lambda found: with_first([1, 2], found),
    "two dimensions": lambda found: np.asarray(found)[:, np.newaxis],
    "one number": lambda _found: 0.5,
    "a text": lambda _found: "abc",
    "nothing": lambda _found: None,
    "records": lambda _found: np.zeros(3, dtype=[("a", float)]),
}
TABLES: dict[str, Callable] = {
    "one dimension": lambda found: np.asarray(found)[0],
    "ragged": lambda found: [[1.0], *[list(row) for row in found[1:]]],
    "NaN": lambda found: np.where(np.arange(found.size).reshape(found.shape) == 0, np.nan, found),
    "a null": lambda found: [[None, *list(found[0])[1:]], *[list(row) for row in found[1:]]],
    "text": lambda found: np.asarray(found).astype(str),
    "complex": lambda found: np.asarray(found) + 1j,
    "three dimensions": lambda found: np.asarray(found)[..., np.newaxis],
    "nothing": lambda _found: None,
}
LABELS: dict[str, Callable] = {
    "a null": lambda found: with_first(None, found),
    "nulls only": lambda found: [None] * len(found),
    "NaN": lambda found: with_first(np.nan, found),
    "pandas NA": lambda found: pd.Series(with_first(pd.NA, found), dtype="Int64"),
    "pandas NA among text": lambda found: pd.Series(with_first(pd.NA, found), dtype="string"),
    "a missing category": lambda found: pd.Series(with_first(None, found), dtype="category"),
    "lists": lambda found: [[value] for value in found],
    "too few": lambda found: list(found)[1:],
    "two dimensions": lambda found: np.asarray(found)[:, np.newaxis],
    "a number": lambda _found: 3,
    "NaT": lambda found: np.array(["NaT"] * len(found), dtype="datetime64[s]"),
}
COUNTS: dict[str, Callable] = NUMBERS | {
    "negative": lambda found: with_first(-1, found),
    "half": lambda found: with_first(0.5, found),
    "huge": lambda found: with_first(1e30, found),
}
COUNT: dict[str, Callable] = {
    "negative": lambda _found: -1,
    "half": lambda _found: 1.5,
    "NaN": lambda _found: np.nan,
    "text": lambda _found: "3",
    "a truth value": lambda _found: True,
    "nothing": lambda _found: None,
    "an array": lambda _found: np.array([3]),
}
TRUTHS: dict[str, Callable] = {
    "numbers": lambda found: [int(one) for one in found],
    "a null": lambda found: with_first(None, found),
    "NaN": lambda found: with_first(np.nan, found),
    "pandas NA": lambda found: pd.Series(with_first(pd.NA, found), dtype="boolean"),
    "text": lambda found: [str(one) for one in found],
    "two dimensions": lambda found: np.asarray(found)[:, np.newaxis],
}
NUMBER: dict[str, Callable] = {
    "NaN": lambda _found: np.nan,
    "text": lambda _found: "0.5",
    "nothing": lambda _found: None,
}
RANGE: dict[str, Callable] = {
    "falling": lambda _found: (1, 0),
    "one end": lambda _found: (0,),
    "NaN": lambda _found: (0, np.nan),
    "text": lambda _found: ("low", "high"),
}
ESTIMATE: dict[str, Callable] = {
    "a bare number": lambda _found: 0.5,
    "undefined": lambda _found: Undefined(reason="nothing"),
    "nothing": lambda _found: None,
}


def inside(spoilers: dict[str, Callable]) -> dict[str, Callable]:
    """Return what spoils the first value of a mapping."""
    return {
        name: lambda found, spoil=spoil: {
            key: spoil(value) if key == next(iter(found)) else value for key, value in found.items()
        }
        for name, spoil in spoilers.items()
    }


SPOILERS = {
    "numbers": NUMBERS,
    "table": TABLES,
    "labels": LABELS,
    "counts": COUNTS,
    "optional numbers": {name: spoil for name, spoil in NUMBERS.items() if name != "nothing"},
    "optional counts": {name: spoil for name, spoil in COUNTS.items() if name != "nothing"},
    "count": COUNT,
    "number": NUMBER,
    "range": RANGE,
    "truths": TRUTHS,
    "estimate": ESTIMATE,
    "mapping": inside(NUMBERS),
    "mapping of labels": inside(LABELS),
    "mapping of truths": inside(TRUTHS),
    "mapping of counts": {
        name: spoil
        for name, spoil in inside(NUMBERS | {"half": lambda _found: [0.5, 0.5]}).items()
        if name not in ("an integer beyond floats", "beyond 1e100", "bytes")
    },
    "fixed": {},
}


def call(name, **changed):
    arguments = {place: value for place, (_, value) in PUBLIC[name].items()} | changed
    return getattr(metrics, name)(**arguments)


def public_functions():
    return {name for name in metrics.__all__ if isinstance(getattr(metrics, name), FunctionType)}


def test_every_public_function_stands_here():
    assert set(PUBLIC) == public_functions()


@pytest.mark.parametrize("name", PUBLIC)
def test_good_arguments_are_good(name):
    assert not isinstance(call(name), Undefined)


@pytest.mark.parametrize(
    ("name", "place", "kind"),
    [
        (name, place, kind)
        for name, places in PUBLIC.items()
        for place, (kind, _) in places.items()
        if kind != "fixed"
    ],
)
def test_bad_values_raise_a_typed_error(name, place, kind):
    good = PUBLIC[name][place][1]
    silent = []
    for what, spoil in SPOILERS[kind].items():
        try:
            found = call(name, **{place: spoil(good)})
        except MetricsError:
            continue
        except Exception as fault:
            silent.append(f"{what}: {type(fault).__name__}: {fault}")
            continue
        silent.append(f"{what}: {found}"[:200])
    assert silent == []


def thinned(kind, value):
    match kind:
        case "optional numbers" | "optional counts":
            return value[:0]
        case "numbers" | "labels" | "counts" | "truths" | "table":
            return value[:0]
        case "mapping" | "mapping of labels" | "mapping of truths" | "mapping of counts":
            return {key: values[:0] for key, values in value.items()}
    return value


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, places in PUBLIC.items()
        if any(v is not thinned(k, v) for k, v in places.values())
    ],
)
def test_no_data_is_undefined_or_empty(name):
    empty = {place: thinned(kind, value) for place, (kind, value) in PUBLIC[name].items()}
    found = call(name, **empty)
    assert isinstance(found, Undefined) or len(found) == 0
    if isinstance(found, Undefined):
        assert found.reason
        assert found.n == 0


@pytest.mark.parametrize(
    "name",
    [name for name, places in PUBLIC.items() if places.get("tasks", ("",))[0] == "labels"],
)
@pytest.mark.parametrize("spoil", ["one task", "one repeat", "one episode", "equal scores"])
def test_thin_data_give_undefined_or_an_interval_that_is_no_point(name, spoil):
    changed = {
        "one task": {"tasks": ["a"] * N},
        "one repeat": {"tasks": list(range(N))},
        "one episode": {"scores": [0.5], "tasks": ["a"]},
        "equal scores": {"scores": [0.5] * N},
    }[spoil]
    others = {
        place: value[: len(changed.get("scores", SCORES))]
        for place, (kind, value) in PUBLIC[name].items()
        if kind == "labels" and place not in changed
    }
    found = call(name, **(others | changed))
    if isinstance(found, Undefined):
        assert found.reason
    elif isinstance(found, metrics.Estimate):
        low, high = found.confidence_interval(0.95)
        assert low < high


@pytest.mark.parametrize(
    "name",
    [
        name for name, places in PUBLIC.items()
        if {"scores", "tasks"} <= places.keys() and places["tasks"][0] == "labels"
    ],
)  # fmt: skip
def test_order_and_kind_of_labels_do_not_matter(name):
    order = np.random.default_rng(2).permutation(N)
    labels = {place for place, (kind, _) in PUBLIC[name].items() if kind == "labels"}
    plain = call(name)
    mixed = call(
        name,
        scores=pd.Series(SCORES[order]),
        **{
            place: pd.Series([f"t{label}" for label in PUBLIC[name][place][1][order]])
            for place in labels
        },
    )
    if isinstance(plain, metrics.Estimate):
        assert mixed.estimate == pytest.approx(plain.estimate)
        assert mixed.n == plain.n
    else:
        assert mixed.between.estimate == pytest.approx(plain.between.estimate)
