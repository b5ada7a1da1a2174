"""Intervals cover and tests err as their docstrings say: the small form of the benchmark."""

import importlib.util
import json
import math
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "benchmarks" / "coverage.py"
REPETITIONS = 100
ERRORS_ALLOWED = 4.0
"""Standard errors of the count, beyond the two points that are allowed."""


def _benchmark():
    name = "coverage_benchmark"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, SOURCE)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def _chosen():
    """Every statistic on the first, the middle and the last of its data."""
    benchmark = _benchmark()
    by_statistic = {}
    for case in (*benchmark.intervals(), *benchmark.tests()):
        if case.claimed:
            by_statistic.setdefault(case.statistic, []).append(case)
    for cases in by_statistic.values():
        yield from {
            case.name: case for case in (cases[0], cases[len(cases) // 2], cases[-1])
        }.values()


@pytest.mark.parametrize("case", list(_chosen()), ids=lambda case: case.name)
def test_nothing_falls_short_of_its_level(case):
    benchmark = _benchmark()
    counted = benchmark.count(case, min(REPETITIONS, case.repetitions))
    for level in benchmark.LEVELS:
        short = benchmark.short_by(counted, level)
        if short is not None:
            error = math.sqrt(level * (1 - level) / counted["given"])
            assert short <= benchmark.ALLOWED + ERRORS_ALLOWED * error


@pytest.mark.parametrize(
    "name",
    [
        "mean_score, no bounds | Pareto(2.1), n 4",
        "spread, icc | normal, 5 tasks, n 4",
        "spread, between | exponential, 5 tasks, n 32",
        "bootstrap_estimate, percentile | normal, 16 units",
        "jonckheere_terpstra | three tiers, rate 0.5, 1 tasks, n 4",
    ],
)
def test_where_a_method_does_not_apply_there_is_no_number(name):
    benchmark = _benchmark()
    cases = {case.name: case for case in (*benchmark.intervals(), *benchmark.tests())}
    assert benchmark.count(cases[name], 50)["given"] == 0


def test_counts_depend_on_the_case_only():
    benchmark = _benchmark()
    case = next(benchmark.intervals())
    assert benchmark.count(case, 30) == benchmark.count(case, 30)


def test_a_wrong_interval_is_noticed():
    benchmark = _benchmark()
    case = next(case for case in benchmark.intervals() if case.statistic == "mean_score, bounded")

    class Narrow:
        method = "too narrow"

        def confidence_interval(self, level):
            return (0.499, 0.501)

    wrong = benchmark.Case(
        statistic="narrow", data=case.data, claimed=True, draw=lambda rng: (Narrow(), rng.random())
    )
    counted = benchmark.count(wrong, 200)
    assert benchmark.short_by(counted, 0.95) > 0.9


def test_the_page_holds_what_was_counted():
    benchmark = _benchmark()
    page, stored = benchmark.PAGE.read_text("utf-8"), json.loads(benchmark.STORE.read_text("utf-8"))
    assert benchmark.functions() in page
    assert benchmark.table([*benchmark.intervals()], stored, errors=False) in page
    assert benchmark.table([*benchmark.tests()], stored, errors=True) in page


def test_nothing_that_was_counted_falls_short_of_what_is_claimed():
    benchmark = _benchmark()
    stored = json.loads(benchmark.STORE.read_text("utf-8"))
    for case in (*benchmark.intervals(), *benchmark.tests()):
        if case.claimed and stored[case.name]["given"] >= 100:
            for level in benchmark.LEVELS:
                assert benchmark.short_by(stored[case.name], level) <= benchmark.ALLOWED, case.name
