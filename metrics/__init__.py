"""Statistics of environments: arrays in, result objects out."""

from metrics.agreement import ReplayAgreement, replay_agreement
from metrics.bootstrap import MeanScore, mean_score
from metrics.divergence import Divergence, diverges, first_divergence
from metrics.errors import MalformedInput, MetricsError, ParameterError
from metrics.latency import Quantile, quantile
from metrics.proportions import Proportion, proportion, success_rate
from metrics.results import Estimate, Interval, Undefined
from metrics.rewards import RewardShape, reward_shape
from metrics.seeding import PairAgreement, SeedControl, seed_control
from metrics.signal import TaskAverage, learnability, live_group_share
from metrics.solvability import Floor, PassAtK, floor, pass_at_k, reachability
from metrics.variance import Spread, spread

__all__ = [
    "Divergence",
    "Estimate",
    "Floor",
    "Interval",
    "MalformedInput",
    "MeanScore",
    "MetricsError",
    "PairAgreement",
    "ParameterError",
    "PassAtK",
    "Proportion",
    "Quantile",
    "ReplayAgreement",
    "RewardShape",
    "SeedControl",
    "Spread",
    "TaskAverage",
    "Undefined",
    "diverges",
    "first_divergence",
    "floor",
    "learnability",
    "live_group_share",
    "mean_score",
    "pass_at_k",
    "proportion",
    "quantile",
    "reachability",
    "replay_agreement",
    "reward_shape",
    "seed_control",
    "spread",
    "success_rate",
]
