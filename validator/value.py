"""What a run says training will gain: from its learner, random play and declared solutions."""

from metrics.results import Undefined
from metrics.training_value import TrainingValue, training_value
from validator.evidence import Evidence
from validator.ladder import part_of
from validator.table import scores_of, start_of


def value_of_training(evidence: Evidence) -> TrainingValue | Undefined:
    """Return the share of the declared range of scores that training is expected to gain.

    Of the first probe of each rung: what a learner earned while it learned, on new starts where
    it was given such, and what random play earns; and what the author's solutions earn.
    """
    if evidence.score_range is None:
        return Undefined(reason="no score_range is declared, of which it would be a share")
    learned = [
        row
        for name in evidence.probes("learner")[:1]
        for row in part_of(evidence, name, "new") or part_of(evidence, name, "train")
    ]
    random = evidence.scored(evidence.probes("blind")[:1])
    solutions = [row for row in evidence.oracle if row.score is not None]
    low, high = evidence.score_range
    return training_value(
        scores_of(learned).clip(low, high),
        scores_of(random).clip(low, high),
        [start_of(row.key) for row in random],
        bounds=evidence.score_range,
        solutions=scores_of(solutions).clip(low, high),
        solution_tasks=[start_of(row.key) for row in solutions],
    )
