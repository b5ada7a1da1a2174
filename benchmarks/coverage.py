"""Counts how often intervals cover and tests err, and writes the tables of docs/statistics.md.

    python benchmarks/coverage.py            # runs what is not in coverage.json yet
    python benchmarks/coverage.py --write    # puts the tables into docs/statistics.md

A case is one statistic on one kind of data. Its repetitions depend on its name only, so runs
may be stopped and taken up, and cases added, without changing the others.
"""

import argparse
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import FunctionType

import numpy as np
from scipy.special import betaln

import metrics
from metrics import Estimate, Undefined
from metrics.inputs import Floats

HERE = Path(__file__).resolve().parent
STORE, PAGE = HERE / "coverage.json", HERE.parent / "docs" / "statistics.md"
LEVELS = (0.90, 0.95)
SIZES, TASKS, RATES = (4, 8, 16, 32, 128), (1, 5, 20), (0.0, 0.01, 0.1, 0.5, 0.9, 1.0)
UNIT = (0.0, 1.0)
ALLOWED = 0.02

Rng = np.random.Generator
Draw = Callable[[Rng], tuple[Estimate | Undefined, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One statistic on one kind of data."""

    statistic: str
    data: str
    claimed: bool
    """The docstring says that the method holds here."""
    draw: Callable[[Rng], object]
    """Draws one data set and returns what was found with the truth, or a p-value."""
    repetitions: int = 1000

    @property
    def name(self) -> str:
        return f"{self.statistic} | {self.data}"


def success_rates(rng: Rng, rate: float, tasks: int) -> Floats:
    """Return success rates of tasks: Beta distributed around `rate`, all equal at the ends."""
    if tasks == 1 or rate in (0.0, 1.0):
        return np.full(tasks, rate)
    return rng.beta(2 * rate, 2 * (1 - rate), tasks)


def moment(rate: float, tasks: int, ups: int, downs: int) -> float:
    """Return the mean over tasks of p^ups (1 − p)^downs."""
    if tasks == 1 or rate in (0.0, 1.0):
        return float(rate**ups * (1 - rate) ** downs)
    a, b = 2 * rate, 2 * (1 - rate)
    return math.exp(betaln(a + ups, b + downs) - betaln(a, b))


def binary(rng: Rng, rate: float, tasks: int, n: int) -> tuple[Floats, Floats]:
    """Return scores and their tasks."""
    rates = np.repeat(success_rates(rng, rate, tasks), n)
    return (rng.random(rates.size) < rates).astype(np.float64), np.repeat(np.arange(tasks), n)


@dataclass(frozen=True, slots=True)
class Graded:
    """A distribution of scores."""

    sample: Callable[[Rng, int], Floats]
    mean: float
    low: float = -math.inf
    high: float = math.inf


def _capped(rng: Rng, n: int) -> Floats:
    return np.minimum(rng.pareto(1.1, n) / 100, 1.0)


def _capped_mean() -> float:
    # E min(X, c) of a Lomax(a) is (1 − (1 + c)^(1 − a)) / (a − 1)
    return (1 - 101 ** (-0.1)) / 0.1 / 100


BOUNDED = {
    "uniform": Graded(lambda rng, n: rng.random(n), 0.5, 0, 1),
    "skewed Beta(0.2, 2)": Graded(lambda rng, n: rng.beta(0.2, 2, n), 0.2 / 2.2, 0, 1),
    "Pareto capped at the top": Graded(_capped, _capped_mean(), 0, 1),
    "half at 0, half uniform": Graded(
        lambda rng, n: rng.random(n) * (rng.random(n) < 0.5), 0.25, 0, 1
    ),
}
OPEN = {
    "normal": (Graded(lambda rng, n: rng.normal(size=n), 0.0), 8),
    "uniform": (BOUNDED["uniform"], 8),
    "exponential": (Graded(lambda rng, n: rng.exponential(size=n), 1.0), 8),
    "log-normal(0.5)": (Graded(lambda rng, n: rng.lognormal(0, 0.5, n), math.exp(0.125)), 8),
    "Gamma(0.5)": (Graded(lambda rng, n: rng.gamma(0.5, size=n), 0.5), 8),
    "Student t(3)": (Graded(lambda rng, n: rng.standard_t(3, n), 0.0), 8),
    "two lumps, 15 %": (
        Graded(lambda rng, n: (rng.random(n) < 0.15) + 0.05 * rng.normal(size=n), 0.15),
        32,
    ),
    "log-normal(1)": (Graded(lambda rng, n: rng.lognormal(0, 1, n), math.exp(0.5)), 128),
    "Pareto(2.1)": (Graded(lambda rng, n: rng.pareto(2.1, n), 1 / 1.1), 10**9),
}


def _mean_of(rng: Rng, kind: Graded, n: int, bounds: tuple[float, float] | None) -> object:
    return metrics.mean_score(kind.sample(rng, n), bounds=bounds), kind.mean


def _mean_over(rng: Rng, kind: Graded, tasks: int, n: int) -> object:
    """Task effects of one distribution, noise of another."""
    effect = np.repeat(kind.sample(rng, tasks), n)
    noise = kind.sample(rng, tasks * n) - kind.mean
    return metrics.mean_score(effect + noise, np.repeat(np.arange(tasks), n)), kind.mean


def _mean_binary(rng: Rng, rate: float, tasks: int, n: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    return metrics.mean_score(scores, task, bounds=UNIT), rate


def _live(rng: Rng, rate: float, tasks: int, n: int, size: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    truth = 1 - moment(rate, tasks, size, 0) - moment(rate, tasks, 0, size)
    return metrics.live_group_share(scores, task, group_size=size), truth


def _live_at_least(rng: Rng, rate: float, tasks: int, n: int, size: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    truth = 1 - moment(rate, tasks, size, 0) - moment(rate, tasks, 0, size)
    return metrics.live_group_share_at_least(scores, task, group_size=size), truth


def _learn(rng: Rng, rate: float, tasks: int, n: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    return metrics.learnability(scores, task, threshold=1.0), moment(rate, tasks, 1, 1)


def _entropy(rng: Rng, rate: float, tasks: int, n: int, size: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    truth = -sum(
        math.comb(size, m) * moment(rate, tasks, m, size - m) * (m / size) * math.log(m / size)
        + math.comb(size, m) * moment(rate, tasks, size - m, m) * (m / size) * math.log(m / size)
        for m in range(1, size)
    )
    return metrics.group_reward_entropy(scores, task, group_size=size), truth


def _best(rng: Rng, rate: float, tasks: int, n: int, size: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    truth = 1 - moment(rate, tasks, 0, size) - rate
    return metrics.best_of_n_gain(scores, task, n=size, bounds=UNIT), truth


def _pass(rng: Rng, rate: float, tasks: int, n: int, k: int, every: bool) -> object:
    scores, task = binary(rng, rate, tasks, n)
    wins = np.bincount(task, weights=scores)
    if every:
        return metrics.pass_all_k(wins, np.full(tasks, n), k), moment(rate, tasks, k, 0)
    return metrics.pass_at_k(wins, np.full(tasks, n), k), 1 - moment(rate, tasks, 0, k)


def _floor(rng: Rng, rate: float, n: int) -> object:
    scores = {name: (rng.random(n) < rate).astype(float) for name in "abc"}
    return metrics.floor(scores, bounds=UNIT), rate


def _spread(rng: Rng, kind: str, tasks: int, n: int, part: str) -> object:
    between, within = 1.0, 1.0
    if kind == "normal":
        effect, noise = rng.normal(size=tasks), rng.normal(size=(tasks, n))
    elif kind == "normal, ICC 0.1":
        between = 1 / 9
        effect, noise = rng.normal(size=tasks) / 3, rng.normal(size=(tasks, n))
    elif kind == "uniform":
        between = within = 1 / 12
        effect, noise = rng.random(tasks), rng.random((tasks, n))
    elif kind == "success rates uniform":
        between, within = 1 / 12, 1 / 6
        rates = rng.random(tasks)
        effect, noise = 0.0 * rates, (rng.random((tasks, n)) < rates[:, None]) + 0.0
    else:
        effect, noise = rng.exponential(size=tasks), rng.exponential(size=(tasks, n))
    scores = (effect[:, None] + noise).ravel()
    found = metrics.spread(scores, np.repeat(np.arange(tasks), n))
    truth = {"between": between, "within": within, "icc": between / (between + within)}[part]
    return (found if isinstance(found, Undefined) else getattr(found, part)), truth


def _quantile(rng: Rng, q: float, n: int) -> object:
    return metrics.quantile(rng.exponential(size=n), q), -math.log(1 - q)


def _superiority(rng: Rng, tasks: int, n: int) -> object:
    shift = 1.3 * rng.random(tasks)  # P(strong > weak) of uniforms a shift apart
    strong = {str(t): shift[t] + rng.random(n) for t in range(tasks)}
    weak = {str(t): rng.random(n) for t in range(tasks)}
    grid = np.linspace(0, 1.3, 20_001)
    inside = np.minimum(grid, 1.0)
    return metrics.superiority(strong, weak), float(np.mean(1 - (1 - inside) ** 2 / 2))


def _auc(rng: Rng, n: int) -> object:
    truth = rng.random(n) < 0.3
    scores = np.round(rng.random(n) + 0.3 * truth, 1)
    return metrics.score_auc(scores, truth), _auc_truth()


@cache
def _auc_truth() -> float:
    """Return the chance that a rounded uniform plus 0.3 beats a rounded uniform."""
    points = np.linspace(0, 1, 200_001)
    bad, good = (
        np.bincount(np.round(10 * np.round(x, 1)).astype(int), minlength=14) / x.size
        for x in (points, points + 0.3)
    )
    return float(good @ (np.cumsum(bad) - bad / 2))


def _tau(rng: Rng, n: int) -> object:
    x = rng.normal(size=n)
    y = 0.5 * x + math.sqrt(0.75) * rng.normal(size=n)
    return metrics.rank_correlation(x, y), 2 / math.pi * math.asin(0.5)


def _tau_b(rng: Rng, n: int) -> object:
    truth = rng.integers(0, 2, n)
    scores = rng.integers(0, 3, n) + truth
    found = metrics.rank_correlation(scores, truth, variant="b")
    return found, _tau_b_truth()


@cache
def _tau_b_truth() -> float:
    chances = {(score, truth): 1 / 6 for truth in (0, 1) for score in range(truth, truth + 3)}
    pairs = [
        ((one[0] - two[0]) * (one[1] - two[1]), one, two, p * q)
        for one, p in chances.items()
        for two, q in chances.items()
    ]
    agree = sum(weight * float(np.sign(product)) for product, _, _, weight in pairs)
    untied = [
        sum(weight for _, one, two, weight in pairs if one[side] != two[side]) for side in (0, 1)
    ]
    return agree / math.sqrt(untied[0] * untied[1])


def _noise(rng: Rng, rate: float, tasks: int, n: int) -> object:
    scores, task = binary(rng, rate, tasks, n)
    truth = math.sqrt(moment(rate, tasks, 1, 1) / n / tasks)
    return metrics.noise_floor(scores, task, bounds=UNIT), truth


def _noise_open(rng: Rng, kind: str, tasks: int, n: int) -> object:
    size = np.ones(tasks) if kind != "normal, unequal" else rng.uniform(0.5, 1.5, tasks)
    noise = rng.random((tasks, n)) if kind == "uniform" else rng.normal(size=(tasks, n))
    variance = {"normal": 1.0, "uniform": 1 / 12, "normal, unequal": 13 / 12}[kind]
    scores = rng.normal(size=(tasks, 1)) + size[:, np.newaxis] * noise
    found = metrics.noise_floor(scores.ravel(), np.repeat(np.arange(tasks), n))
    return found, math.sqrt(variance / n / tasks)


def _signal_to_noise(rng: Rng, tasks: int, n: int) -> object:
    rates = (0.2, 0.5, 0.8)
    played = [binary(rng, rate, tasks, n) for rate in rates]
    tiers = [metrics.mean_score(scores, task, bounds=UNIT) for scores, task in played]
    noise = metrics.noise_floor(*played[1], bounds=UNIT)
    assert not isinstance(noise, Undefined)
    truth = 0.3 / math.sqrt(moment(0.5, tasks, 1, 1) / n / tasks)
    known = [tier for tier in tiers if not isinstance(tier, Undefined)]
    return metrics.signal_to_noise(known, noise), truth


def _item_rest(rng: Rng, kind: str, agents: int, tasks: int) -> object:
    found = metrics.item_rest_correlation(_answers(rng, kind, agents, tasks))
    assert not isinstance(found, Undefined)
    return found[0], _item_rest_truth(kind, tasks)


def _answers(rng: Rng, kind: str, agents: int, tasks: int) -> Floats:
    """Return scores of agents, shape `(agents, tasks)`, of one ability each."""
    ability = rng.normal(size=(agents, 1))
    match kind:
        case "normal":
            return ability + rng.normal(size=(agents, tasks))
        case "shares of 8":
            chance = 1 / (1 + np.exp(-ability + np.zeros(tasks)))
            return rng.binomial(8, chance) / 8
        case "success":
            return (rng.random((agents, tasks)) < 1 / (1 + np.exp(-ability))).astype(float)
        case "success of one in five":
            return (rng.random((agents, tasks)) < 1 / (1 + np.exp(1.7 - ability))).astype(float)
    raise ValueError(kind)


@cache
def _item_rest_truth(kind: str, tasks: int) -> float:
    scores = _answers(np.random.default_rng(0), kind, 1_000_000, tasks)
    rest = (scores.sum(axis=1) - scores[:, 0]) / (tasks - 1)
    return float(np.corrcoef(scores[:, 0], rest)[0, 1])


def _items(rng: Rng, agents: int, attempts: int, spread: float, which: str) -> object:
    ability = rng.normal(size=(agents, 1))
    a, b = rng.lognormal(0, 0.5, 10), rng.normal(0, spread, 10)
    wins = rng.binomial(attempts, 1 / (1 + np.exp(-a * (ability - b))))
    found = metrics.item_responses(wins, np.full((agents, 10), attempts))
    if isinstance(found, Undefined):
        return found, 0.0
    if which == "discrimination":
        return found.discrimination_of(0), float(a[0])
    return found.difficulty_of(0), float(b[0])


def _scaling(rng: Rng, error: float, places: int, twice: bool, which: str, flat: bool) -> object:
    sessions = np.repeat(2.0 ** np.arange(places), 2 if twice else 1)
    law = {"single": 120.0, "contention": 0.0 if flat else 0.05}
    law["crosstalk"] = 0.0 if flat else 0.002
    slowed = 1 + law["contention"] * (sessions - 1) + law["crosstalk"] * sessions * (sessions - 1)
    measured = law["single"] * sessions / slowed * (1 + error * rng.normal(size=sessions.size))
    found = metrics.throughput_scaling(sessions, np.maximum(measured, 1.0))
    return (found if isinstance(found, Undefined) else getattr(found, which)), law[which]


def _difference(rng: Rng, rates: tuple[float, float], n: int) -> object:
    found = metrics.proportion_difference(
        rng.binomial(n, rates[0]), n, rng.binomial(n, rates[1]), n
    )
    return found, rates[0] - rates[1]


def _corrected(rng: Rng, rate: float, n: int) -> object:
    quality = metrics.verifier_quality(rng.binomial(n, 0.9), n, rng.binomial(n, 0.1), n)
    if isinstance(quality, Undefined):
        return quality, rate
    seen = rng.binomial(n, 0.1 + 0.8 * rate)
    return metrics.corrected_success(seen, n, quality), rate


def _headroom(rng: Rng, n: int) -> object:
    strong = metrics.mean_score((rng.random(n) < 0.6).astype(float), bounds=UNIT)
    ground = metrics.mean_score((rng.random(n) < 0.2).astype(float), bounds=UNIT)
    if isinstance(strong, Undefined) or isinstance(ground, Undefined):
        raise TypeError
    return metrics.headroom(strong, ground, ceiling=1.0), 0.5


def _drift(rng: Rng, kind: str, n: int) -> object:
    noise = rng.standard_t(1.5, n) if kind == "heavy" else rng.exponential(size=n)
    return metrics.drift(0.1 * np.arange(n) + noise), 0.1


def _frontier(rng: Rng, tasks: int, n: int) -> object:
    rates = rng.beta(0.5, 0.5, tasks)
    found = metrics.frontier_mass(rng.binomial(n, rates), np.full(tasks, n), band=(0.2, 0.8))
    return found, float(np.mean((rates > 0.2) & (rates < 0.8)))


def _seeds(rng: Rng, rate: float, starts: int) -> object:
    """Repeats that agree with one chance: three of each start, off the common one by chance."""
    labels = {
        str(start): [
            start if rng.random() < math.sqrt(rate) else 1000 * start + 10 + repeat
            for repeat in range(3)
        ]
        for start in range(starts)
    }
    found = metrics.seed_control(labels)
    return (found if isinstance(found, Undefined) else found.within), rate


def _resampled(rng: Rng, kind: Graded, n: int, method: str) -> object:
    found = metrics.bootstrap_estimate(kind.sample(rng, n), rng=rng, method=method, resamples=1000)
    return found, kind.mean


@dataclass(frozen=True, slots=True)
class Watched:
    """A confidence sequence looked at after every score: its interval is the worst of all."""

    sequences: Mapping[float, metrics.ConfidenceSequence]
    truth: float

    def confidence_interval(self, level: float) -> metrics.Interval:
        found = self.sequences[level]
        return metrics.Interval(float(found.low.max()), float(found.high.min()))


def _watched(rng: Rng, which: str, kind: Graded, n: int) -> object:
    build = metrics.betting_sequence if which == "betting" else metrics.empirical_bernstein_sequence
    scores = kind.sample(rng, n)
    options = {"grid": 200} if which == "betting" else {}
    found = {
        level: build(scores, bounds=(kind.low, kind.high), level=level, **options)
        for level in LEVELS
    }
    return Watched(found, kind.mean), kind.mean


def _rank(rng: Rng, n: int) -> object:
    rates = [0.2, 0.5, 0.5, 0.55, 0.9]
    shares = {
        str(at): metrics.proportion(rng.binomial(n, rate), n) for at, rate in enumerate(rates)
    }
    return _Ranks(shares, rates), 1.0


@dataclass(frozen=True, slots=True)
class _Ranks:
    shares: Mapping[str, metrics.Proportion | Undefined]
    rates: list[float]

    def confidence_interval(self, level: float) -> metrics.Interval:
        """Return an interval that holds 1 where all ranks are right."""
        for one in metrics.rank(self.shares, level=level):
            rate = self.rates[int(one.name)]
            best = 1 + sum(other > rate for other in self.rates)
            worst = len(self.rates) - sum(other < rate for other in self.rates)
            if not (one.place <= worst and best <= one.lowest):
                return metrics.Interval(2, 3)
        return metrics.Interval(0, 1)


def _jonckheere(rng: Rng, tasks: int, n: int, rate: float) -> object:
    rates = np.repeat(success_rates(rng, rate, tasks), 3 * n)
    scores = (rng.random(rates.size) < rates).astype(float)
    tiers = np.tile(np.repeat(np.arange(3), n), tasks)
    return metrics.jonckheere_terpstra(scores, tiers, np.repeat(np.arange(tasks), 3 * n))


def _test(rng: Rng, which: str, n: int, rate: float) -> object:
    one = (rng.random(n) < rate).astype(float)
    other = (rng.random(n) < rate).astype(float)
    match which:
        case "rank_sum":
            return metrics.rank_sum(one, other)
        case "fisher_exact":
            return metrics.fisher_exact(int(one.sum()), n, int(other.sum()), n)
        case "mcnemar":
            return metrics.mcnemar(int(np.sum(one > other)), int(np.sum(other > one)))
        case "paired_permutation":
            return metrics.paired_permutation(one, other, rng=rng, resamples=499)
    raise ValueError(which)


def _page(rng: Rng, tasks: int, graded: bool) -> object:
    table = rng.normal(size=(tasks, 3))
    return metrics.page_trend(table if graded else np.round(table))


def _first_action(rng: Rng, n: int) -> object:
    starts = np.repeat(np.arange(5), n)
    returns = rng.exponential(size=5 * n) + starts
    actions = rng.integers(0, 3, 5 * n)
    return metrics.first_action_effect(returns, starts, actions, rng=rng, resamples=199)


def _named(rng: Rng, which: str, n: int) -> object:
    """The chance that anything at all is named falsely, as a p-value of 0 or 1."""
    if which == "inversions":
        both = [{str(t): (rng.random(n) < 0.5).astype(float) for t in range(20)} for _ in range(2)]
        wrong = {level: bool(metrics.inversions(*both, level=level)) for level in LEVELS}
    else:
        rates = rng.choice([0.02, 0.3, 0.8], 20)
        weak, strong = ([(int(c), n) for c in rng.binomial(n, rates)] for _ in range(2))
        wrong = {
            level: any(
                state != "unknown" and not (state == "dead" and rate < 0.05)
                for state, rate in zip(
                    metrics.task_states(weak, strong, level=level), rates, strict=True
                )
            )
            for level in LEVELS
        }
    return wrong


def intervals() -> Iterator[Case]:
    """Yield the cases of intervals."""
    yield from _shares()
    yield from _means()
    yield from _cluster_means()
    yield from _bootstraps()
    yield from _groups()
    yield from _spreads()
    yield from _ranks_and_quantiles()
    yield from _seeds_and_sequences()
    yield from _noises()
    yield from _agents()
    yield from _loads()
    yield from _larger_groups()


def _shares() -> Iterator[Case]:
    for n in SIZES:
        for rates in [(0.01, 0.01), (0.1, 0.1), (0.5, 0.5), (0.1, 0.9), (0.0, 1.0), (0.9, 1.0)]:
            data = f"rates {rates[0]:g} and {rates[1]:g}, n {n}"
            draw = partial(_difference, rates=rates, n=n)
            yield Case(
                statistic="proportion_difference", data=data, claimed=True, draw=draw,
                repetitions=4000,
            )  # fmt: skip
        for rate in (0.0, 0.1, 0.5, 1.0):
            draw = partial(_corrected, rate=rate, n=n)
            yield Case(
                statistic="corrected_success", data=f"rate {rate:g}, n {n}", claimed=True,
                draw=draw, repetitions=4000,
            )  # fmt: skip


def _means() -> Iterator[Case]:
    for n in SIZES:
        for name, kind in BOUNDED.items():
            draw = partial(_mean_of, kind=kind, n=n, bounds=UNIT)
            yield Case(
                statistic="mean_score, bounded", data=f"{name}, n {n}", claimed=True, draw=draw
            )
        for name, (kind, least) in OPEN.items():
            draw = partial(_mean_of, kind=kind, n=n, bounds=None)
            yield Case(
                statistic="mean_score, no bounds", data=f"{name}, n {n}", claimed=n >= least,
                draw=draw, repetitions=10_000,
            )  # fmt: skip
        for rate in RATES:
            yield Case(
                statistic="floor", data=f"three probes, rate {rate:g}, n {n}", claimed=True,
                draw=partial(_floor, rate=rate, n=n), repetitions=4000,
            )  # fmt: skip


def _cluster_means() -> Iterator[Case]:
    for n in SIZES:
        for tasks in TASKS[1:]:
            for rate in RATES:
                draw = partial(_mean_binary, rate=rate, tasks=tasks, n=n)
                yield Case(
                    statistic="mean_score, bounded",
                    data=f"success, rate {rate:g}, {tasks} tasks, n {n}", claimed=True, draw=draw,
                )  # fmt: skip
            for name in ("normal", "exponential"):
                draw = partial(_mean_over, kind=OPEN[name][0], tasks=tasks, n=n)
                yield Case(
                    statistic="mean_score, no bounds", data=f"{name}, {tasks} tasks, n {n}",
                    claimed=tasks >= 8, draw=draw, repetitions=4000,
                )  # fmt: skip


def _bootstraps() -> Iterator[Case]:
    for method, least in (("percentile", 100), ("BCa", 100), ("studentised", 16)):
        for name in ("normal", "uniform", "exponential"):
            for n in (16, 32, 100, 400):
                draw = partial(_resampled, kind=OPEN[name][0], n=n, method=method)
                yield Case(
                    statistic=f"bootstrap_estimate, {method}", data=f"{name}, {n} units",
                    claimed=n >= least, draw=draw, repetitions=4000,
                )  # fmt: skip


def _groups() -> Iterator[Case]:
    for tasks in TASKS:
        for n in SIZES:
            for rate in RATES:
                data = f"success, rate {rate:g}, {tasks} tasks, n {n}"
                setting = {"rate": rate, "tasks": tasks, "n": n}
                draws = {
                    "pass_at_k, k 4": partial(_pass, **setting, k=4, every=False),
                    "pass_all_k, k 4": partial(_pass, **setting, k=4, every=True),
                    "live_group_share, G 8": partial(_live, **setting, size=8),
                    "learnability": partial(_learn, **setting),
                }
                if rate in (0.1, 0.5):
                    draws["group_reward_entropy, G 8"] = partial(_entropy, **setting, size=8)
                    if tasks > 1:
                        draws["best_of_n_gain, n 4"] = partial(_best, **setting, size=4)
                for statistic, draw in draws.items():
                    yield Case(statistic=statistic, data=data, claimed=True, draw=draw)


def _spreads() -> Iterator[Case]:
    for kind in ("normal", "normal, ICC 0.1", "uniform", "success rates uniform", "exponential"):
        for tasks in (5, 20, 50):
            for n in (4, 32):
                for part in ("between", "within", "icc"):
                    yield Case(
                        statistic=f"spread, {part}", data=f"{kind}, {tasks} tasks, n {n}",
                        claimed=kind != "exponential",
                        draw=partial(_spread, kind=kind, tasks=tasks, n=n, part=part),
                        repetitions=4000,
                    )  # fmt: skip


def _ranks_and_quantiles() -> Iterator[Case]:
    for n in SIZES:
        for q in (0.5, 0.95):
            yield Case(
                statistic=f"quantile, q {q:g}", data=f"exponential, n {n}", claimed=True,
                draw=partial(_quantile, q=q, n=n), repetitions=10_000,
            )  # fmt: skip
        for tasks in TASKS[1:]:
            yield Case(
                statistic="superiority", data=f"{tasks} tasks, n {n}", claimed=True,
                draw=partial(_superiority, tasks=tasks, n=n),
            )  # fmt: skip
        for statistic, call in (("score_auc", _auc), ("rank_correlation", _tau)):
            yield Case(statistic=statistic, data=f"n {n}", claimed=True, draw=partial(call, n=n))
        yield Case(statistic="headroom", data=f"n {n}", claimed=True, draw=partial(_headroom, n=n))
        yield Case(
            statistic="rank", data=f"5 shares, n {n}", claimed=True, draw=partial(_rank, n=n)
        )
        for kind in ("heavy", "exponential"):
            yield Case(
                statistic="drift", data=f"{kind} noise, n {n}", claimed=True,
                draw=partial(_drift, kind=kind, n=n), repetitions=4000,
            )  # fmt: skip
        for tasks in TASKS:
            yield Case(
                statistic="frontier_mass", data=f"rates of the prior, {tasks} tasks, n {n}",
                claimed=True, draw=partial(_frontier, tasks=tasks, n=n), repetitions=4000,
            )  # fmt: skip


def _seeds_and_sequences() -> Iterator[Case]:
    for starts in (3, 10):
        for rate in (0.1, 0.5, 0.9, 1.0):
            yield Case(
                statistic="seed_control, within", data=f"rate {rate:g}, {starts} starts",
                claimed=True, draw=partial(_seeds, rate=rate, starts=starts),
            )  # fmt: skip
    for which in ("betting", "empirical-Bernstein"):
        for name in (*BOUNDED, "success, rate 0.1"):
            kind = BOUNDED.get(name) or Graded(
                lambda rng, n: (rng.random(n) < 0.1).astype(float), 0.1, 0, 1
            )
            yield Case(
                statistic=f"{which} sequence, looked at 300 times", data=name, claimed=True,
                draw=partial(_watched, which=which, kind=kind, n=300),
                repetitions=500 if which == "betting" else 2000,
            )  # fmt: skip


def _noises() -> Iterator[Case]:
    for tasks in TASKS:
        for n in (4, 8, 32):
            for rate in RATES:
                yield Case(
                    statistic="noise_floor, bounded",
                    data=f"success, rate {rate:g}, {tasks} tasks, n {n}", claimed=True,
                    draw=partial(_noise, rate=rate, tasks=tasks, n=n), repetitions=500,
                )  # fmt: skip
    for tasks in (5, 8, 20):
        for n in (2, 4, 16):
            for kind in ("normal", "uniform", "normal, unequal"):
                yield Case(
                    statistic="noise_floor, no bounds", data=f"{kind}, {tasks} tasks, n {n}",
                    claimed=n >= 4, draw=partial(_noise_open, kind=kind, tasks=tasks, n=n),
                    repetitions=4000,
                )  # fmt: skip
    for tasks in TASKS:
        for n in (4, 32):
            yield Case(
                statistic="signal_to_noise", data=f"three tiers, {tasks} tasks, n {n}",
                claimed=True, draw=partial(_signal_to_noise, tasks=tasks, n=n), repetitions=500,
            )  # fmt: skip


def _agents() -> Iterator[Case]:
    for n in SIZES:
        yield Case(
            statistic="rank_correlation, tau-b", data=f"ties, n {n}", claimed=True,
            draw=partial(_tau_b, n=n), repetitions=500,
        )  # fmt: skip
    for agents in (10, 20, 50, 200):
        for kind in ("normal", "shares of 8", "success", "success of one in five"):
            yield Case(
                statistic="item_rest_correlation", data=f"{kind}, {agents} agents, 8 tasks",
                claimed=agents >= 50 or "success" not in kind,
                draw=partial(_item_rest, kind=kind, agents=agents, tasks=8), repetitions=2000,
            )  # fmt: skip
    for agents in (30, 50, 200):
        for attempts in (1, 8):
            for spread in (1.0, 2.0):
                for which in ("discrimination", "difficulty"):
                    yield Case(
                        statistic=f"item_responses, {which}",
                        data=f"{agents} agents, 10 tasks, {attempts} attempts, "
                        f"difficulties of deviation {spread:g}",
                        claimed=True, repetitions=500,
                        draw=partial(
                            _items, agents=agents, attempts=attempts, spread=spread, which=which
                        ),
                    )  # fmt: skip


def _larger_groups() -> Iterator[Case]:
    for tasks in TASKS:
        for n in (4, 16):
            for rate in RATES:
                yield Case(
                    statistic="live_group_share_at_least, G 16",
                    data=f"success, rate {rate:g}, {tasks} tasks, n {n}", claimed=True,
                    draw=partial(_live_at_least, rate=rate, tasks=tasks, n=n, size=16),
                    repetitions=500,
                )  # fmt: skip


def _loads() -> Iterator[Case]:
    for error in (0.02, 0.05, 0.1):
        for places, twice in ((3, False), (5, False), (7, False), (5, True), (7, True)):
            for which in ("single", "contention", "crosstalk"):
                for flat in (False, True):
                    yield Case(
                        statistic=f"throughput_scaling, {which}",
                        data=f"errors of {error:.0%}, {places} loads{', twice' * twice}"
                        f"{', linear' * flat}",
                        claimed=error < 0.05 or twice, repetitions=2000,
                        draw=partial(
                            _scaling, error=error, places=places, twice=twice, which=which,
                            flat=flat,
                        ),
                    )  # fmt: skip


def tests() -> Iterator[Case]:
    """Yield the cases of tests, all under a true hypothesis."""
    for n in SIZES:
        for rate in (0.01, 0.1, 0.5):
            for tasks in TASKS:
                yield Case(
                    statistic="jonckheere_terpstra",
                    data=f"three tiers, rate {rate:g}, {tasks} tasks, n {n}", claimed=True,
                    draw=partial(_jonckheere, tasks=tasks, n=n, rate=rate), repetitions=2000,
                )  # fmt: skip
            for which in ("rank_sum", "fisher_exact", "mcnemar", "paired_permutation"):
                yield Case(
                    statistic=which, data=f"rate {rate:g}, n {n}", claimed=True,
                    draw=partial(_test, which=which, n=n, rate=rate), repetitions=2000,
                )  # fmt: skip
        for which in ("inversions", "task_states"):
            yield Case(
                statistic=f"{which}, any false name", data=f"20 tasks, n {n}", claimed=True,
                draw=partial(_named, which=which, n=n),
            )  # fmt: skip
    for tasks in (5, 10, 20, 50):
        for graded in (True, False):
            yield Case(
                statistic="page_trend",
                data=f"three tiers, {tasks} tasks{'' if graded else ', ties'}", claimed=True,
                draw=partial(_page, tasks=tasks, graded=graded), repetitions=4000,
            )  # fmt: skip
    for n in (4, 16):
        yield Case(
            statistic="first_action_effect", data=f"5 starts, n {n}", claimed=True,
            draw=partial(_first_action, n=n),
        )  # fmt: skip


def count(case: Case, repetitions: int | None = None) -> dict[str, float]:
    """Return how often a case gave a number, and how often that held at each level."""
    seed = int.from_bytes(hashlib.sha256(case.name.encode()).digest()[:8], "big")
    rng = np.random.default_rng(seed)
    total = repetitions or case.repetitions
    given, held = 0, dict.fromkeys(LEVELS, 0)
    for _ in range(total):
        found = case.draw(rng)
        outcome = _held(found)
        if outcome is None:
            continue
        given += 1
        for level in LEVELS:
            held[level] += outcome[level]
    return {"repetitions": total, "given": given, **{str(level): held[level] for level in LEVELS}}


def _held(found: object) -> dict[float, bool] | None:
    """Return whether what was found is right at each level, None where nothing was given."""
    if isinstance(found, dict):
        return {level: not found[level] for level in LEVELS}
    if isinstance(found, metrics.Significance):
        return {level: found.p_value > 1 - level for level in LEVELS}
    if isinstance(found, Undefined):
        return None
    assert isinstance(found, tuple)
    estimate, truth = found
    if isinstance(estimate, Undefined) or getattr(estimate, "method", "").startswith("none"):
        return None
    ends = {level: estimate.confidence_interval(level) for level in LEVELS}
    if not any(math.isfinite(end) for end in ends[LEVELS[0]]):
        return None
    return {level: low - 1e-9 <= truth <= high + 1e-9 for level, (low, high) in ends.items()}


def short_by(counted: Mapping[str, float], level: float) -> float | None:
    """Return by how much coverage falls short of a level, None where nothing was given."""
    if not counted["given"]:
        return None
    return level - counted[str(level)] / counted["given"]


def run(most: int | None) -> None:
    """Count the cases that are not stored yet, storing each as it is done."""
    stored = json.loads(STORE.read_text()) if STORE.exists() else {}
    cases = [*intervals(), *tests()]
    left = [at for at, case in enumerate(cases) if case.name not in stored][:most]
    print(f"{len(cases)} cases, {len(left)} to do")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(_count_number, at): at for at in left}
        for done, future in enumerate(as_completed(running), start=1):
            stored[cases[running[future]].name] = future.result()
            if done % 20 == 0 or done == len(left):
                names = [case.name for case in cases if case.name in stored]
                text = ",\n".join(
                    f"{json.dumps(name)}: {json.dumps(stored[name])}" for name in names
                )
                STORE.write_text("{\n" + text + "\n}\n")
                print(f"{done} of {len(left)}", flush=True)


def _count_number(at: int) -> dict[str, float]:
    return count([*intervals(), *tests()][at])


def table(cases: list[Case], stored: Mapping[str, Mapping[str, float]], *, errors: bool) -> str:
    """Return a Markdown table: for each statistic the worst case where it is claimed to hold."""
    head = (
        "errors at the 10 % level | at 5 % | worst case at 5 %"
        if errors
        else "coverage at 90 % | at 95 % | worst case at 95 %"
    )
    lines = [
        f"| statistic | cases | no number | {head} | beyond the claim |",
        "|---|---|---|---|---|---|---|",
    ]
    for statistic in dict.fromkeys(case.statistic for case in cases):
        mine = [case for case in cases if case.statistic == statistic and case.name in stored]
        if mine:
            lines.append(_row(statistic, mine, stored, errors))
    return "\n".join(lines)


def _row(
    statistic: str, cases: list[Case], stored: Mapping[str, Mapping[str, float]], errors: bool
) -> str:
    claimed = [case for case in cases if case.claimed and stored[case.name]["given"] >= 100]
    beyond = [case for case in cases if not case.claimed and stored[case.name]["given"] >= 100]
    refused = sum(stored[case.name]["given"] < 100 for case in cases)

    def worst(of: list[Case], level: float) -> tuple[float, str]:
        shares = [
            (stored[case.name][str(level)] / stored[case.name]["given"], case.data) for case in of
        ]
        return min(shares) if shares else (math.nan, "none")

    def told(share: float) -> str:
        return "–" if math.isnan(share) else f"{100 * (1 - share if errors else share):.1f} %"

    low, where = worst(claimed, 0.95)
    far, there = worst(beyond, 0.95)
    return (
        f"| `{statistic}` | {len(cases)} | {refused} | {told(worst(claimed, 0.9)[0])} | "
        f"{told(low)} | {where} | {'–' if not beyond else f'{told(far)}: {there}'} |"
    )


def functions() -> str:
    """Return the public functions by module, each with the first line of its docstring."""
    lines = ["| function | returns | in |", "|---|---|---|"]
    for name in metrics.__all__:
        found = getattr(metrics, name)
        if not isinstance(found, FunctionType) or found.__name__ != name:
            continue
        first = str(found.__doc__).splitlines()[0].removeprefix("Return").lstrip(" ,").rstrip(".")
        module = found.__module__.replace(".", "/") + ".py"
        lines.append(f"| `{name}` | {first} | [{found.__module__}](../{module}) |")
    head, rows = lines[:2], sorted(lines[2:], key=lambda line: line.split("[")[-1])
    return "\n".join([*head, *rows])


def write() -> None:
    """Put the tables between their marks in the page."""
    stored = json.loads(STORE.read_text())
    page = PAGE.read_text()
    for mark, rows in (
        ("functions", functions()),
        ("coverage", table([*intervals()], stored, errors=False)),
        ("errors", table([*tests()], stored, errors=True)),
    ):
        pattern = re.compile(rf"<!-- {mark}: generated -->.*?<!-- end -->", re.DOTALL)
        before, after = pattern.search(page).span()  # type: ignore[union-attr]
        page = f"{page[:before]}<!-- {mark}: generated -->\n{rows}\n<!-- end -->{page[after:]}"
    PAGE.write_text(page)


def report() -> None:
    """Print the cases that fall short of what is claimed by more than is allowed."""
    stored = json.loads(STORE.read_text())
    for case in [*intervals(), *tests()]:
        counted = stored.get(case.name)
        if counted is None or counted["given"] < 100 or not case.claimed:
            continue
        for level in LEVELS:
            short = short_by(counted, level)
            if short is not None and short > ALLOWED:
                print(f"{case.name}: short by {short:.3f} at {level}, given {counted['given']}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    parser.add_argument("--report", action="store_true", help="print what falls short")
    parser.add_argument("--most", type=int, help="count at most so many cases")
    told = parser.parse_args()
    if told.write:
        write()
    elif told.report:
        report()
    else:
        run(told.most)
