"""The same numbers as rliable 1.2.0 (numpy 2.4.6, arch 7.2.0, scipy 1.17.1), run once by hand.

Rows are runs, columns are tasks, as rliable takes them. The values that it gave stand here, each
with the call that gave it.
"""

import numpy as np
import pytest

from metrics import bootstrap_estimate, interquartile_mean, superiority
from metrics.bootstrap import mean

# numpy.random.RandomState(7): beta(0.6, 0.8, (12, 5)), then beta(0.9, 0.7, (10, 5)), rounded
X = np.array(
    [
        [0.018, 0.275, 0.9, 0.21, 0.857],
        [0.17, 0.989, 0.2, 0.914, 0.57],
        [0.148, 0.327, 0.2, 0.733, 0.664],
        [0.495, 0.632, 0.3, 0.077, 0.408],
        [0.513, 0.999, 0.0, 0.349, 0.032],
        [0.719, 0.905, 0.3, 0.121, 0.408],
        [0.13, 0.265, 0.0, 0.229, 0.065],
        [0.041, 0.001, 0.9, 0.401, 0.169],
        [0.862, 0.142, 0.1, 0.982, 0.057],
        [0.866, 0.279, 0.9, 0.779, 0.018],
        [0.971, 0.001, 0.1, 0.004, 0.613],
        [0.123, 0.001, 0.0, 0.624, 0.985],
    ]
)
Y = np.array(
    [
        [0.965, 0.528, 0.3, 0.72, 0.907],
        [0.414, 0.764, 0.3, 0.382, 0.391],
        [0.975, 0.772, 0.9, 0.448, 0.889],
        [0.666, 0.945, 0.9, 0.819, 0.923],
        [0.395, 0.805, 0.1, 0.29, 0.608],
        [0.981, 0.72, 0.0, 0.728, 0.056],
        [0.587, 0.942, 0.8, 0.162, 0.978],
        [0.637, 0.621, 0.8, 0.966, 0.908],
        [0.21, 0.116, 1.0, 0.423, 0.267],
        [0.32, 0.425, 0.0, 0.047, 0.009],
    ]
)
WIDE = np.array(
    [
        [0.16, 0.03, 0.898, 0.638, 0.981],
        [0.906, 0.816, 0.065, 0.497, 0.53],
        [0.321, 0.991, 0.588, 0.091, 0.701],
        [0.204, 0.325, 0.268, 0.68, 0.373],
        [0.236, 0.487, 0.385, 0.89, 0.007],
        [0.32, 0.614, 0.896, 0.253, 0.138],
        [0.141, 0.132, 0.283, 0.535, 0.553],
        [0.262, 0.428, 0.316, 0.908, 0.528],
        [0.053, 0.074, 0.929, 0.856, 0.266],
        [0.282, 0.329, 0.183, 0.916, 0.092],
        [0.643, 0.001, 0.1, 0.433, 0.019],
        [0.741, 0.641, 0.0, 0.722, 0.175],
        [0.872, 0.213, 0.124, 0.956, 0.06],
        [0.954, 0.992, 0.361, 0.298, 0.135],
        [0.019, 0.362, 0.25, 0.037, 0.673],
        [0.689, 0.636, 0.765, 0.065, 0.044],
        [0.328, 0.103, 0.375, 0.217, 0.643],
        [0.031, 0.814, 0.4, 0.877, 0.002],
        [0.453, 0.033, 0.0, 0.009, 0.928],
        [0.739, 0.982, 0.2, 0.072, 0.173],
        [0.887, 0.947, 0.009, 0.795, 0.175],
        [0.703, 0.0, 0.765, 0.945, 0.312],
        [0.102, 0.842, 0.585, 0.762, 0.922],
        [0.322, 0.375, 0.28, 0.345, 0.688],
        [0.593, 0.337, 0.001, 0.223, 0.323],
    ]
)


def test_interquartile_mean():
    # rliable.metrics.aggregate_iqm(X), aggregate_iqm(Y), aggregate_iqm(WIDE)
    expected = [0.33613333333333334, 0.6100769230769231, 0.39857142857142857]
    found = [float(interquartile_mean(table.reshape(1, -1))[0]) for table in (X, Y, WIDE)]
    assert found == pytest.approx(expected, abs=1e-8)


def test_probability_of_improvement():
    # rliable.metrics.probability_of_improvement(Y, X)
    by_task = [{str(task): table[:, task] for task in range(5)} for table in (Y, X)]
    found = superiority(*by_task)
    assert found.estimate == pytest.approx(0.635, abs=1e-9)


@pytest.mark.parametrize(
    ("statistic", "estimate", "low", "high"),
    [
        # rliable.library.get_interval_estimates({"a": WIDE}, lambda s: np.array(
        #     [metrics.aggregate_iqm(s), metrics.aggregate_mean(s)]), reps=50000,
        #     random_state=np.random.RandomState(0))
        (interquartile_mean, 0.39857143, 0.32053968, 0.48119087),
        (mean, 0.431616, 0.3769918, 0.487336),
    ],
)
def test_stratified_bootstrap(statistic, estimate, low, high):
    found = bootstrap_estimate(
        WIDE.ravel(),
        strata=np.tile(np.arange(5), 25),
        statistic=statistic,
        resamples=20_000,
        rng=np.random.default_rng(0),
    )
    assert found.estimate == pytest.approx(estimate, abs=1e-8)
    # ends of two runs of rliable itself differ by as much: 50,000 and 20,000 resamples
    assert found.confidence_interval(0.95) == pytest.approx((low, high), abs=0.002)
