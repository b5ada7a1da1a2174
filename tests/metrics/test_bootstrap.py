"""Mean scores."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics import (
    MalformedInput,
    MetricsError,
    ParameterError,
    SeenRange,
    Undefined,
    adversarial_floor,
    best_of_n_gain,
    bootstrap_estimate,
    floor,
    interquartile_mean,
    learnability,
    mean_score,
    noise_floor,
    paired_difference,
    proportion,
)

RNG = np.random.default_rng(0)


def test_binary_scores_in_their_range_have_the_exact_interval():
    found = mean_score([0.0, 1.0, 1.0, 0.0, 1.0], bounds=(0, 1))
    assert found.estimate == pytest.approx(0.6)
    expected = proportion(3, 5).confidence_interval(0.95)
    assert found.confidence_interval(0.95) == pytest.approx(expected)


@pytest.mark.parametrize(
    "found",
    [
        lambda bounds: mean_score([0.0, 1.0, 0.5], bounds=bounds),
        lambda bounds: mean_score([0.0, 1.0, 0.5], ["a", "a", "b"], bounds=bounds),
        lambda bounds: floor({"noop": [0.0, 1.0]}, bounds=bounds),
        lambda bounds: adversarial_floor({"echo": [1.0]}, {"noop": [0.0]}, bounds=bounds),
        lambda bounds: paired_difference([0.0, 1.0], [1.0, 1.0], bounds=bounds),
        lambda bounds: noise_floor([0.0, 1.0], ["a", "a"], bounds=bounds),
        lambda bounds: learnability([0.0, 1.0], ["a", "a"], score_range=bounds),
        lambda bounds: best_of_n_gain([0.0, 1.0], ["a", "a"], n=2, bounds=bounds),
    ],
)
def test_a_range_that_was_only_seen_is_named_wherever_an_interval_rests_on_it(found):
    declared, seen = found((0, 1)), found(SeenRange(0, 1))
    assert "range as seen" not in declared.method
    assert "range as seen" in seen.method
    assert seen.confidence_interval() == declared.confidence_interval()


def test_clusters_are_the_units():
    scores = [0.0] * 50 + [1.0] * 50
    flat = mean_score(scores, bounds=(0, 1)).confidence_interval()
    grouped = mean_score(scores, ["a"] * 50 + ["b"] * 50, bounds=(0, 1))
    assert grouped.n == 2
    assert flat.high - flat.low < 0.25
    assert grouped.confidence_interval() == pytest.approx(proportion(1, 2).confidence_interval())


def test_clusters_weigh_the_same():
    found = mean_score([0.0, 0.0, 0.0, 1.0], ["a", "a", "a", "b"])
    assert found.estimate == 0.5


def test_one_cluster_is_a_sample_of_episodes():
    found = mean_score([0.0, 1.0, 1.0], ["a"] * 3, bounds=(0, 1))
    assert (found.n, found.unit) == (3, "episodes")


def test_constant_scores_claim_no_certainty():
    with_bounds = mean_score([0.0] * 10, bounds=(0, 1))
    assert with_bounds.confidence_interval(0.95) == (0.0, pytest.approx(1 - 0.025**0.1))
    without = mean_score([0.0] * 10)
    assert without.confidence_interval(0.95) == (-math.inf, math.inf)
    assert without.method.startswith("none")


def test_without_bounds_few_or_very_skewed_scores_have_no_interval():
    few = mean_score([1.0, 2.0, 3.0, 5.0])
    assert few.estimate == 2.75
    assert few.confidence_interval() == (-math.inf, math.inf)
    assert few.method == "none: 4 values, 8 are needed where the range is not known"
    skewed = mean_score([0.0] * 40 + [1e6])
    assert skewed.confidence_interval() == (-math.inf, math.inf)
    assert "skewness 6.4" in skewed.method


def test_without_bounds_symmetric_scores_have_students_interval():
    scores = np.concatenate([np.arange(20.0), np.arange(-20.0, 0)])
    low, high = mean_score(scores).confidence_interval(0.95)
    t = stats.t.interval(0.95, 39, scores.mean(), stats.sem(scores))
    assert (low, high) == pytest.approx(t, rel=1e-6)


def test_without_bounds_skewed_scores_reach_further_on_the_long_side():
    scores = np.random.default_rng(3).exponential(size=30)
    low, high = mean_score(scores).confidence_interval(0.95)
    t = stats.t.interval(0.95, 29, scores.mean(), stats.sem(scores))
    assert low == pytest.approx(t[0])
    assert high > t[1] + 0.05


@pytest.mark.parametrize("scale", [1e-250, 1e-30, 1e30])
def test_scale_does_not_matter(scale):
    scores = np.random.default_rng(3).exponential(size=30)
    one = mean_score(scores).confidence_interval()
    other = mean_score(scores * scale).confidence_interval()
    assert other == pytest.approx((one.low * scale, one.high * scale), rel=1e-9)


@pytest.mark.parametrize(("method", "other"), [("percentile", "percentile"), ("BCa", "BCa")])
def test_resampling_agrees_with_scipy(method, other):
    scores = np.random.default_rng(1).gamma(2.0, size=120)
    found = bootstrap_estimate(scores, rng=np.random.default_rng(2), method=method, resamples=9999)
    theirs = stats.bootstrap(
        (scores,), np.mean, n_resamples=9999, method=other, rng=np.random.default_rng(5)
    ).confidence_interval
    assert found.confidence_interval(0.95) == pytest.approx((theirs.low, theirs.high), rel=0.01)


def test_studentised_interval_follows_its_definition():
    scores = np.random.default_rng(1).gamma(2.0, size=40)
    found = bootstrap_estimate(
        scores, rng=np.random.default_rng(2), method="studentised", resamples=4000
    )
    rng = np.random.default_rng(9)
    drawn = rng.choice(scores, (4000, 40))
    t = (drawn.mean(1) - scores.mean()) / stats.sem(drawn, axis=1)
    high, low = scores.mean() - np.quantile(t, [0.025, 0.975]) * stats.sem(scores)
    assert found.confidence_interval(0.95) == pytest.approx((high, low)[::-1], rel=0.05)


def test_interquartile_mean_is_the_trimmed_mean():
    samples = np.random.default_rng(0).normal(size=(5, 40))
    assert interquartile_mean(samples) == pytest.approx(stats.trim_mean(samples, 0.25, axis=1))


def test_strata_keep_every_task_and_clusters_do_not():
    scores = np.repeat([0.0, 10.0, 20.0, 30.0] * 30, 2) + np.tile([0.0, 1.0], 120)
    tasks = np.repeat(np.arange(120), 2)
    within = bootstrap_estimate(
        scores, strata=tasks, rng=np.random.default_rng(0)
    ).confidence_interval()
    across = bootstrap_estimate(
        scores, clusters=tasks, rng=np.random.default_rng(0)
    ).confidence_interval()
    assert within.high - within.low < 0.5
    assert across.high - across.low > 3


def test_the_generator_governs():
    def interval(seed):
        rng = np.random.default_rng(seed)
        return bootstrap_estimate(np.arange(100.0) ** 2, rng=rng).confidence_interval()

    assert interval(1) == interval(1)
    assert interval(1) != interval(2)


@pytest.mark.parametrize(
    ("scores", "options", "reason"),
    [
        (range(99), {}, "99 episodes, 100 are needed to resample"),
        (range(80), {"clusters": [i // 4 for i in range(80)]}, "20 clusters, 100 are needed"),
        ([1.0] * 100, {}, "all 100 episodes are equal"),
        (range(101), {"strata": [i // 2 for i in range(101)]}, "a stratum has one episode"),
    ],
)
def test_what_cannot_be_resampled_is_undefined(scores, options, reason):
    found = bootstrap_estimate(scores, rng=RNG, **options)
    assert isinstance(found, Undefined)
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    "options",
    [
        {"method": "normal"},
        {"clusters": [0] * 100, "strata": [0] * 100},
        {"method": "studentised", "strata": [0] * 100},
        {"method": "studentised", "statistic": interquartile_mean},
        {"resamples": 10},
        {"statistic": lambda samples: samples},
    ],
)
def test_resampling_plans_that_do_not_go_together(options):
    with pytest.raises(MetricsError):
        bootstrap_estimate(range(100), rng=RNG, **options)


def test_no_score_is_undefined():
    assert mean_score([], []) == Undefined(reason="no episode was scored", n=0)


@pytest.mark.parametrize(
    ("scores", "clusters", "bounds", "error"),
    [
        ([0.0, math.nan], None, None, MalformedInput),
        ([0.0, 2.0], None, (0, 1), MalformedInput),
        ([0.0, 2.0], ["a"], None, MalformedInput),
        ([0.0, 1e300], None, None, MalformedInput),
        ([0.0], None, (1, 0), ParameterError),
        ([0.0], None, (0, math.nan), ParameterError),
        ([0.0], None, 1, ParameterError),
    ],
)
def test_bad_input_is_a_typed_error(scores, clusters, bounds, error):
    with pytest.raises(error):
        mean_score(scores, clusters, bounds=bounds)
