"""What each task is to the probes, with error control over all of them."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from metrics.comparison import fisher_exact
from metrics.errors import MalformedInput, ParameterError
from metrics.inputs import fraction
from metrics.proportions import Proportion, proportion
from metrics.results import Significance, Undefined

TaskState: TypeAlias = Literal["vacuous", "dead", "saturated", "separating", "unknown"]


def task_states(
    weak: Sequence[tuple[int, int]],
    strong: Sequence[tuple[int, int]],
    *,
    solved: float = 0.9,
    unsolved: float = 0.05,
    level: float = 0.95,
) -> list[TaskState]:
    """Return what each task is to the probes, with error control over all of them.

    `vacuous`: the weak probe's success rate is surely at least `solved`. `saturated`: the
    strong one's is, and not the weak one's. `dead`: the strong one's is surely at most
    `unsolved`, and the weak one's too. `separating`: the strong probe surely succeeds more
    often than the weak one. `unknown`: none of these is sure; more episodes may tell.

    Args:
        weak: Successes and episodes of the weak probe, task by task.
        strong: Those of the strong probe, same tasks.
        solved: Rate from which a task counts as solved.
        unsolved: Rate up to which a task counts as not solved.
        level: Chance that no task at all is named wrongly.

    Returns:
        One state a task.

    Raises:
        MalformedInput: other lengths, or more successes than episodes.
        ParameterError: rates out of order.

    Assumptions:
        Episodes are independent.

    Source:
        Exact bounds and tests at a share of the error each: Bonferroni over tasks and over
        the four statements about one.

    Example:
        >>> task_states([(30, 30), (0, 200), (1, 60)], [(30, 30), (0, 200), (40, 60)], solved=0.7)
        ['vacuous', 'dead', 'separating']
    """
    if len(weak) != len(strong):
        raise MalformedInput(f"{len(weak)} tasks of the weak probe, {len(strong)} of the strong")
    if not 0 < unsolved < solved < 1:
        raise ParameterError("need 0 < unsolved < solved < 1")
    error = (1 - fraction(level)) / max(1, 4 * len(weak))
    return [
        _state(proportion(*one), proportion(*other), solved, unsolved, error)
        for one, other in zip(weak, strong, strict=True)
    ]


def _state(
    weak: Proportion | Undefined,
    strong: Proportion | Undefined,
    solved: float,
    unsolved: float,
    error: float,
) -> TaskState:
    if isinstance(weak, Undefined) or isinstance(strong, Undefined):
        return "unknown"
    if weak.lower_bound(1 - error) >= solved:
        return "vacuous"
    if strong.lower_bound(1 - error) >= solved:
        return "saturated"
    if max(strong.upper_bound(1 - error), weak.upper_bound(1 - error)) <= unsolved:
        return "dead"
    test = fisher_exact(strong.successes, strong.n, weak.successes, weak.n)
    sure = isinstance(test, Significance) and test.p_value <= error
    return "separating" if sure else "unknown"
