"""Statistics of environments: arrays in, result objects out."""

from metrics.agreement import ReplayAgreement, replay_agreement
from metrics.bootstrap import (
    Bootstrapped,
    MeanScore,
    bootstrap_estimate,
    interquartile_mean,
    mean_score,
)
from metrics.divergence import Divergence, diverges, first_divergence
from metrics.errors import MalformedInput, MetricsError, ParameterError
from metrics.latency import Quantile, quantile
from metrics.multiplicity import benjamini_hochberg, holm
from metrics.proportions import Proportion, proportion, success_rate
from metrics.results import Estimate, Interval, Significance, Undefined
from metrics.rewards import RewardShape, reward_shape
from metrics.seeding import PairAgreement, SeedControl, seed_control
from metrics.sequential import (
    ConfidenceSequence,
    betting_sequence,
    empirical_bernstein_sequence,
)
from metrics.signal import TaskAverage, learnability, live_group_share
from metrics.solvability import Floor, PassAtK, floor, pass_at_k, reachability
from metrics.variance import (
    NestedSpread,
    Spread,
    nested_components,
    noise_floor,
    repeats_needed,
    signal_to_noise,
    spread,
)

__all__ = [
    "Bootstrapped",
    "ConfidenceSequence",
    "Divergence",
    "Estimate",
    "Floor",
    "Interval",
    "MalformedInput",
    "MeanScore",
    "MetricsError",
    "NestedSpread",
    "PairAgreement",
    "ParameterError",
    "PassAtK",
    "Proportion",
    "Quantile",
    "ReplayAgreement",
    "RewardShape",
    "SeedControl",
    "Significance",
    "Spread",
    "TaskAverage",
    "Undefined",
    "benjamini_hochberg",
    "betting_sequence",
    "bootstrap_estimate",
    "diverges",
    "empirical_bernstein_sequence",
    "first_divergence",
    "floor",
    "holm",
    "interquartile_mean",
    "learnability",
    "live_group_share",
    "mean_score",
    "nested_components",
    "noise_floor",
    "pass_at_k",
    "proportion",
    "quantile",
    "reachability",
    "repeats_needed",
    "replay_agreement",
    "reward_shape",
    "seed_control",
    "signal_to_noise",
    "spread",
    "success_rate",
]
