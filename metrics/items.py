"""How hard each task is and how well it tells agents apart, by item response theory."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from metrics.errors import MalformedInput
from metrics.inputs import Floats, finite_numbers
from metrics.results import Undefined

FEWEST_AGENTS: Final = 20
"""Agents below which abilities and tasks cannot be told apart well."""
FEWEST_TASKS: Final = 5
ROUNDS: Final = 500
SMALL: Final = 1e-5
_SPREAD: Final = (0.5, 2.0)
"""Standard deviations of the priors of ln a and b."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResponses:
    """A two-parameter logistic model: P(success) = 1 / (1 + exp(−a (θ − b)))."""

    discrimination: Floats
    """a of each task, shape `(tasks,)`: how steeply success rises with ability."""
    difficulty: Floats
    """b of each task: the ability at which half of the attempts succeed."""
    ability: Floats
    """Posterior mean θ of each agent, shape `(agents,)`, in standard deviations of agents."""
    rounds: int
    """Rounds until nothing moved."""

    def information(self, ability: float) -> Floats:
        """Return what one attempt at each task tells of an agent of some ability: a² p (1 − p)."""
        share = expit(self.discrimination * (ability - self.difficulty))
        return np.asarray(self.discrimination**2 * share * (1 - share))


def item_responses(successes: ArrayLike, attempts: ArrayLike) -> ItemResponses | Undefined:
    """Return difficulty and discrimination of tasks from many agents' successes.

    Marginal maximum likelihood by expectation-maximisation over normal abilities, with weak
    priors (ln a of standard deviation 1/2, b of 2) that keep tasks which all or none solve
    finite. Discriminations are taken as positive: a task that able agents fail more often
    than others shows as one near zero here, and below zero in `item_rest_correlation`.

    Args:
        successes: Shape `(agents, tasks)`.
        attempts: Shape `(agents, tasks)`; 0 where an agent did not try a task.

    Returns:
        The model, a description without intervals; undefined with fewer than 20 agents or 5
        tasks, or where it does not settle.

    Raises:
        MalformedInput: not two tables of one shape, or more successes than attempts.

    Assumptions:
        One ability per agent; attempts are independent given it.

    Source:
        Bock and Aitkin 1981; Polo et al. 2024, arXiv 2402.14992, for benchmarks.

    Example:
        >>> rng = np.random.default_rng(0)
        >>> ability, difficulty = rng.normal(size=200), np.linspace(-1, 1, 6)
        >>> wins = rng.binomial(8, expit(1.5 * (ability[:, None] - difficulty)))
        >>> found = item_responses(wins, np.full((200, 6), 8))
        >>> bool(np.all(np.diff(found.difficulty) > 0))
        True
    """
    wins, tries = _table(successes, "successes"), _table(attempts, "attempts")
    if wins.shape != tries.shape or np.any(wins > tries) or np.any(wins < 0):
        raise MalformedInput("need successes and attempts of one shape, none above its attempts")
    agents, tasks = wins.shape
    if agents < FEWEST_AGENTS or tasks < FEWEST_TASKS:
        return Undefined(
            reason=f"{agents} agents on {tasks} tasks; "
            f"{FEWEST_AGENTS} on {FEWEST_TASKS} are needed",
            n=agents,
        )
    nodes, weights = np.polynomial.hermite_e.hermegauss(31)
    log_weights = np.log(weights / weights.sum())
    log_a, b = np.zeros(tasks), np.zeros(tasks)
    for number in range(1, ROUNDS + 1):
        posterior = _posterior(wins, tries, nodes, log_weights, log_a, b)
        moved_a, moved_b = _improved(posterior.T @ wins, posterior.T @ tries, nodes, log_a, b)
        moved = max(float(np.max(np.abs(moved_a - log_a))), float(np.max(np.abs(moved_b - b))))
        log_a, b = moved_a, moved_b
        if moved < SMALL:
            return ItemResponses(
                discrimination=np.exp(log_a),
                difficulty=b,
                ability=posterior @ nodes,
                rounds=number,
            )
    return Undefined(reason=f"the model did not settle in {ROUNDS} rounds", n=agents)


def _table(values: ArrayLike, name: str) -> Floats:
    found = np.asarray(values)
    if found.ndim != 2:
        raise MalformedInput(f"{name}: need two dimensions, got {found.ndim}")
    return finite_numbers(found.ravel(), name).reshape(found.shape)


def _posterior(
    wins: Floats, tries: Floats, nodes: Floats, log_weights: Floats, log_a: Floats, b: Floats
) -> Floats:
    """Return the probability of each ability for each agent, shape `(agents, nodes)`."""
    logit = np.exp(log_a) * (nodes[:, np.newaxis] - b)
    yes, no = -np.logaddexp(0.0, -logit), -np.logaddexp(0.0, logit)
    log_likelihood = wins @ yes.T + (tries - wins) @ no.T + log_weights
    shares = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _improved(
    wins: Floats, tries: Floats, nodes: Floats, log_a: Floats, b: Floats
) -> tuple[Floats, Floats]:
    """Return the parameters after one Fisher scoring step on the expected counts."""
    a = np.exp(log_a)
    away = nodes[:, np.newaxis] - b
    share = expit(a * away)
    left, weight = wins - tries * share, tries * share * (1 - share)
    spread_a, spread_b = _SPREAD
    slope_a = np.sum(left * a * away, axis=0) - log_a / spread_a**2
    slope_b = -np.sum(left * a, axis=0) - b / spread_b**2
    bend_a = np.sum(weight * (a * away) ** 2, axis=0) + 1 / spread_a**2
    bend_b = np.sum(weight * a**2, axis=0) + 1 / spread_b**2
    cross = -np.sum(weight * a**2 * away, axis=0)
    base = bend_a * bend_b - cross**2
    step_a = (bend_b * slope_a - cross * slope_b) / base
    step_b = (bend_a * slope_b - cross * slope_a) / base
    return log_a + np.clip(step_a, -0.5, 0.5), b + np.clip(step_b, -0.5, 0.5)
