"""What the score is worth on fewer episodes, and what these cost against a training run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from benchmarks.learning.grounds import Grounds
from benchmarks.learning.predictive import area_under_curve, resampled, spearman
from benchmarks.learning.score import learned
from metrics.results import Undefined

LOOKS = (0.25, 0.5, 0.75)
"""Parts of the episodes after which a learner may be stopped."""
PLAIN, ABSENT = 0.3, 0.1
"""A rise is plain that surely is above the one, and plainly absent if it surely is below the
other."""
SURE = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Some of the episodes of each environment."""

    name: str
    grounds: Mapping[str, Grounds]

    def cut(self, name: str, how: Callable[[Grounds], Grounds]) -> "Plan":
        """Return a plan of some of these episodes."""
        return Plan(name=name, grounds={one: how(found) for one, found in self.grounds.items()})

    def scores(self, *, declared: bool) -> dict[str, float]:
        """Return the score of the product by environment; zero where it has none."""
        values = {one: found.value(declared=declared) for one, found in self.grounds.items()}
        return {
            one: 0.0 if isinstance(value, Undefined) else value.estimate
            for one, value in values.items()
        }


def stopped(found: Grounds) -> Grounds:
    """Return the episodes up to the first look at which the rise was plain, or plainly absent."""
    for share in LOOKS:
        part = found.part(share)
        if np.ptp(np.concatenate([part.learned, part.random])) < 1e-9:
            return part
        value = part.value(declared=False)
        if isinstance(value, Undefined):
            continue
        reach = float(student.ppf(0.5 + SURE / 2, value.episodes - 2)) * value.error
        if value.rise - reach > PLAIN or value.rise + reach < ABSENT:
            return part
    return found


def curve(table: pd.DataFrame, plans: list[Plan]) -> str:
    """Return what each plan is worth and costs, as Markdown."""
    rows = [
        "| episodes | steps, of one training run's: median, quarter to three quarters "
        "| at most 2 % in | Spearman, solutions declared | nothing declared "
        "| area under the curve, solutions declared | nothing declared |",
        "|---|---|---|---|---|---|---|",
    ]
    yes = learned(table)
    for plan in plans:
        steps = np.array([plan.grounds[one].steps for one in table.environment])
        cost = steps / table.train_steps.to_numpy(float)
        low, middle, high = np.quantile(cost, (0.25, 0.5, 0.75))
        told = [plan.scores(declared=declared) for declared in (True, False)]
        both = [np.array([scores[one] for one in table.environment]) for scores in told]
        figures = [str(resampled(spearman, found, table.gain)) for found in both]
        figures += [str(resampled(area_under_curve, found, yes)) for found in both]
        rows.append(
            f"| {plan.name} | {middle:.1%}, {low:.1%} to {high:.1%} "
            f"| {(cost <= 0.02).sum()} of {len(cost)} | {' | '.join(figures)} |"
        )
    return "\n".join(rows)
