"""How hard each task is and how well it tells agents apart, by item response theory."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, stdtrit

from metrics.errors import MalformedInput
from metrics.inputs import Floats, fraction, table
from metrics.results import Interval, Undefined

FEWEST_AGENTS: Final = 20
"""Agents below which abilities and tasks cannot be told apart well."""
FEWEST_TASKS: Final = 5
FEWEST_FOR_INTERVAL: Final = 50
"""Agents below which a parameter has no interval."""
FREEDOM: Final = 5
"""Degrees of freedom that widen the normal approximation for what its peak leaves out: posteriors
of hard, easy and steep tasks are skewed."""
ROUNDS: Final = 500
SMALL: Final = 1e-5
LEAP: Final = 8
"""Every so many rounds a step of Newton is taken in the place of one of expectation-maximisation,
which creeps where abilities are known well."""
FARTHEST: Final = 1.0
"""Length of a step of Newton above which it is not trusted."""
NEGLIGIBLE: Final = 1e-12
"""Probability of an ability below which it adds nothing to an agent's information."""
REACH: Final = 6.0
NODES: Final = 181
"""Abilities at which the normal distribution is taken, evenly from -6 to 6: near enough to each
other for agents that are known to a tenth."""
_SPREAD: Final = (0.5, 2.0)
"""Standard deviations of the priors of ln a and b."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemParameter:
    """Discrimination or difficulty of one task."""

    estimate: float
    n: int
    """Number of agents."""
    error: float
    """Posterior standard deviation: of the logarithm where `logarithmic`."""
    logarithmic: bool

    @property
    def method(self) -> str:
        if self.n < FEWEST_FOR_INTERVAL:
            return f"none: {self.n} agents, {FEWEST_FOR_INTERVAL} are needed for an interval"
        return f"Student t({FREEDOM}) approximation of the marginal posterior"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, all that may be where there are too few agents."""
        half = float(stdtrit(FREEDOM, 0.5 + fraction(level) / 2)) * self.error
        if self.n < FEWEST_FOR_INTERVAL:
            return Interval(0.0 if self.logarithmic else -math.inf, math.inf)
        if self.logarithmic:
            return Interval(self.estimate * math.exp(-half), self.estimate * math.exp(half))
        return Interval(self.estimate - half, self.estimate + half)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResponses:
    """A two-parameter logistic model: P(success) = 1 / (1 + exp(−a (θ − b)))."""

    discrimination: Floats
    """a of each task, shape `(tasks,)`: how steeply success rises with ability."""
    difficulty: Floats
    """b of each task: the ability at which half of the attempts succeed."""
    ability: Floats
    """Posterior mean θ of each agent, shape `(agents,)`, in standard deviations of agents."""
    errors: Floats
    """Posterior standard deviations of ln a and b, shape `(2, tasks)`."""
    rounds: int
    """Rounds until a step of Newton moved nothing."""

    def discrimination_of(self, task: int) -> ItemParameter:
        """Return a of one task, counted from 0, with its interval."""
        return ItemParameter(
            estimate=float(self.discrimination[task]), n=self.ability.size,
            error=float(self.errors[0, task]), logarithmic=True,
        )  # fmt: skip

    def difficulty_of(self, task: int) -> ItemParameter:
        """Return b of one task, counted from 0, with its interval."""
        return ItemParameter(
            estimate=float(self.difficulty[task]), n=self.ability.size,
            error=float(self.errors[1, task]), logarithmic=False,
        )  # fmt: skip

    def information(self, ability: float) -> Floats:
        """Return what one attempt at each task tells of an agent of some ability: a² p (1 − p)."""
        share = expit(self.discrimination * (ability - self.difficulty))
        return np.asarray(self.discrimination**2 * share * (1 - share))


def item_responses(successes: ArrayLike, attempts: ArrayLike) -> ItemResponses | Undefined:
    """Return difficulty and discrimination of tasks from many agents' successes.

    Marginal maximum likelihood over normal abilities, by expectation-maximisation with steps of
    Newton, with weak priors (ln a of standard deviation 1/2, b of 2) that keep tasks which all
    or none solve finite. Discriminations are taken as positive: a task that able agents fail
    more often than others shows as one near zero here, and below zero in
    `item_rest_correlation`.

    Args:
        successes: Shape `(agents, tasks)`.
        attempts: Shape `(agents, tasks)`; 0 where an agent did not try a task.

    Returns:
        The model; undefined with fewer than 20 agents or 5 tasks, or where it does not settle.
        Each parameter has an interval from 50 agents on, by the information that the data hold
        of all parameters at once.

    Raises:
        MalformedInput: not two tables of one shape, or more successes than attempts.

    Assumptions:
        One ability per agent, normal over agents; attempts are independent given it. Intervals
        hold on average over tasks drawn from the priors, not at each a and b.

    Source:
        Bock and Aitkin 1981; Louis 1982 for the information; Polo et al. 2024, arXiv
        2402.14992, for benchmarks.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> ability, difficulty = rng.normal(size=200), np.linspace(-1, 1, 6)
        >>> wins = rng.binomial(8, expit(1.5 * (ability[:, None] - difficulty)))
        >>> found = item_responses(wins, np.full((200, 6), 8))
        >>> bool(np.all(np.diff(found.difficulty) > 0))
        True
    """
    wins, tries = table(successes, "successes"), table(attempts, "attempts")
    if wins.shape != tries.shape or np.any(wins > tries) or np.any(wins < 0):
        raise MalformedInput("need successes and attempts of one shape, none above its attempts")
    agents, tasks = wins.shape
    if agents < FEWEST_AGENTS or tasks < FEWEST_TASKS:
        return Undefined(
            reason=f"{agents} agents on {tasks} tasks; "
            f"{FEWEST_AGENTS} on {FEWEST_TASKS} are needed",
            n=agents,
        )
    nodes = np.linspace(-REACH, REACH, NODES)
    log_weights = -(nodes**2) / 2 - math.log(float(np.sum(np.exp(-(nodes**2) / 2))))
    log_a, b = np.zeros(tasks), np.zeros(tasks)
    for number in range(1, ROUNDS + 1):
        posterior = _posterior(wins, tries, nodes, log_weights, log_a, b)
        if number % LEAP:
            log_a, b = _improved(posterior.T @ wins, posterior.T @ tries, nodes, log_a, b)
            continue
        information = _information(wins, tries, posterior, nodes, log_a, b)
        slope = np.concatenate(_slopes(posterior.T @ wins, posterior.T @ tries, nodes, log_a, b))
        step = np.linalg.lstsq(information, slope, rcond=None)[0]
        if np.linalg.eigvalsh(information)[0] <= 0 or np.max(np.abs(step)) > FARTHEST:
            log_a, b = _improved(posterior.T @ wins, posterior.T @ tries, nodes, log_a, b)
            continue
        log_a, b = log_a + step[:tasks], b + step[tasks:]
        if np.max(np.abs(step)) < SMALL:
            return ItemResponses(
                discrimination=np.exp(log_a),
                difficulty=b,
                ability=posterior @ nodes,
                errors=np.sqrt(np.diag(np.linalg.inv(information))).reshape(2, tasks),
                rounds=number,
            )
    return Undefined(reason=f"the model did not settle in {ROUNDS} rounds", n=agents)


def _posterior(
    wins: Floats, tries: Floats, nodes: Floats, log_weights: Floats, log_a: Floats, b: Floats
) -> Floats:
    """Return the probability of each ability for each agent, shape `(agents, nodes)`."""
    logit = np.exp(log_a) * (nodes[:, np.newaxis] - b)
    yes, no = -np.logaddexp(0.0, -logit), -np.logaddexp(0.0, logit)
    log_likelihood = wins @ yes.T + (tries - wins) @ no.T + log_weights
    shares = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _slopes(
    wins: Floats, tries: Floats, nodes: Floats, log_a: Floats, b: Floats
) -> tuple[Floats, Floats]:
    """Return the slopes of the log posterior in ln a and b, from the expected counts."""
    a = np.exp(log_a)
    away = nodes[:, np.newaxis] - b
    left = wins - tries * expit(a * away)
    spread_a, spread_b = _SPREAD
    return (
        np.sum(left * a * away, axis=0) - log_a / spread_a**2,
        -np.sum(left * a, axis=0) - b / spread_b**2,
    )


def _improved(
    wins: Floats, tries: Floats, nodes: Floats, log_a: Floats, b: Floats
) -> tuple[Floats, Floats]:
    """Return the parameters after one Fisher scoring step on the expected counts."""
    a = np.exp(log_a)
    away = nodes[:, np.newaxis] - b
    share = expit(a * away)
    weight = tries * share * (1 - share)
    spread_a, spread_b = _SPREAD
    slope_a, slope_b = _slopes(wins, tries, nodes, log_a, b)
    bend_a = np.sum(weight * (a * away) ** 2, axis=0) + 1 / spread_a**2
    bend_b = np.sum(weight * a**2, axis=0) + 1 / spread_b**2
    cross = -np.sum(weight * a**2 * away, axis=0)
    base = bend_a * bend_b - cross**2
    step_a = (bend_b * slope_a - cross * slope_b) / base
    step_b = (bend_a * slope_b - cross * slope_a) / base
    return log_a + np.clip(step_a, -0.5, 0.5), b + np.clip(step_b, -0.5, 0.5)


def _information(
    wins: Floats, tries: Floats, posterior: Floats, nodes: Floats, log_a: Floats, b: Floats
) -> Floats:
    """Return the observed information on ln a and b of all tasks, shape `(2 tasks, 2 tasks)`.

    That of the complete data less the variance of its slope under each agent's ability, plus
    the priors' (Louis 1982).
    """
    a, tasks = np.exp(log_a), log_a.size
    away = nodes[:, np.newaxis] - b
    share = expit(a * away)
    marked, tried = posterior.T @ wins, posterior.T @ tries
    left, weight = marked - tried * share, tried * share * (1 - share)
    spread_a, spread_b = _SPREAD
    found = np.zeros((2 * tasks, 2 * tasks))
    one, other = np.arange(tasks), np.arange(tasks) + tasks
    found[one, one] = np.sum(weight * (a * away) ** 2 - left * a * away, axis=0) + 1 / spread_a**2
    found[other, other] = np.sum(weight * a**2, axis=0) + 1 / spread_b**2
    found[one, other] = found[other, one] = np.sum(left * a - weight * a**2 * away, axis=0)
    for win, attempt, chance in zip(wins, tries, posterior, strict=True):
        near = chance > NEGLIGIBLE
        surplus = (win - attempt * share[near]) * a
        slopes = np.concatenate([surplus * away[near], -surplus], axis=1)
        slopes -= chance[near] @ slopes
        found -= (slopes * chance[near, np.newaxis]).T @ slopes
    return found
