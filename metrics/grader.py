"""How far the reward tells good from bad."""

from dataclasses import dataclass

from metrics.inputs import fraction
from metrics.proportions import Proportion, proportion
from metrics.results import Difference, Interval, Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierQuality(Difference):
    """Youden's J of a reward: its true-positive rate less its false-positive rate.

    Above zero, learning from it moves towards the good; at zero nowhere; below zero away.
    """

    of: Proportion
    """Good submissions that were accepted."""
    less: Proportion
    """Bad submissions that were accepted."""

    @property
    def method(self) -> str:
        return "MOVER of Clopper-Pearson"

    def lower_bound(self, level: float = 0.95) -> float:
        """Return the one-sided bound that J is above, at `level`: what to decide by."""
        return self.confidence_interval(2 * fraction(level) - 1).low


def verifier_quality(
    accepted_good: int, good: int, accepted_bad: int, bad: int
) -> VerifierQuality | Undefined:
    """Return how far a reward tells known-good from known-bad submissions.

    Args:
        accepted_good: Good submissions that were rewarded as successes.
        good: Good submissions.
        accepted_bad: Bad submissions that were.
        bad: Bad submissions.

    Returns:
        J, unitless, in [-1, 1]; undefined without good or without bad submissions.

    Raises:
        MalformedInput: more accepted than there are.
        ParameterError: not whole numbers, or negative.

    Assumptions:
        Submissions are independent draws of what will be submitted.

    Source:
        Youden 1950; 2601.04411 for what J means to group-relative training.

    Example:
        >>> found = verifier_quality(19, 20, 2, 20)
        >>> round(found.estimate, 2), found.lower_bound(0.95) > 0.5
        (0.85, True)
    """
    one, other = proportion(accepted_good, good), proportion(accepted_bad, bad)
    if isinstance(one, Undefined):
        return Undefined(reason="no good submission was graded", n=0)
    if isinstance(other, Undefined):
        return Undefined(reason="no bad submission was graded", n=0)
    return VerifierQuality(of=one, less=other)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedSuccess:
    """Share of episodes that truly succeed, behind a noisy reward."""

    observed: Proportion
    quality: VerifierQuality

    @property
    def estimate(self) -> float:
        share = (self.observed.estimate - self.quality.less.estimate) / self.quality.estimate
        return min(1.0, max(0.0, share))

    @property
    def n(self) -> int:
        return self.observed.n

    @property
    def method(self) -> str:
        return "Rogan-Gladen over three Clopper-Pearson intervals (Bonferroni)"

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the two-sided interval, 0 to 1 where J is not surely above zero."""
        each = 1 - (1 - fraction(level)) / 3
        seen = self.observed.confidence_interval(each)
        hit = self.quality.of.confidence_interval(each)
        false = self.quality.less.confidence_interval(each)
        if hit.low <= false.high:
            return Interval(0.0, 1.0)
        low = (seen.low - false.high) / (hit.high - false.high)
        high = (seen.high - false.low) / (hit.low - false.low)
        return Interval(min(1.0, max(0.0, low)), min(1.0, max(0.0, high)))


def corrected_success(
    successes: int, n: int, quality: VerifierQuality
) -> CorrectedSuccess | Undefined:
    """Return the true share of successes, from the rewarded share and the verifier's errors.

    p = (p observed − false-positive rate) / J.

    Args:
        successes: Episodes rewarded as successes.
        n: Scored episodes.
        quality: From `verifier_quality`.

    Returns:
        The share, unitless, in [0, 1]; undefined without an episode, or where J is zero or
        below, when the reward says nothing of success.

    Raises:
        MalformedInput: more successes than episodes.

    Assumptions:
        Errors of the verifier have the same rates here as on the graded submissions.

    Source:
        Rogan and Gladen 1978.

    Example:
        >>> quality = verifier_quality(95, 100, 10, 100)
        >>> round(corrected_success(27, 100, quality).estimate, 3)
        0.2
    """
    observed = proportion(successes, n)
    if isinstance(observed, Undefined):
        return Undefined(reason="no episode was scored", n=0)
    if quality.estimate <= 0:
        return Undefined(reason="the reward does not tell good from bad (J <= 0)", n=n)
    return CorrectedSuccess(observed=observed, quality=quality)
