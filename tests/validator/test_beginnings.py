"""Scores of beginnings, from rows of known rewards."""

from array import array

import numpy as np
import pytest

from validator.beginnings import score_of_beginning, scores_as_long, settled
from validator.episodes import EpisodeKey, Scored
from validator.scoring import Rule
from validator.table import Row

CODES = {"number": 0, "null": 1, "error": 4}


def row(*rewards: float | str | None, seed: int = 0, ended: str = "done") -> Row:
    """Return the row of an episode; a text stands for a refused step, None for null."""
    kinds = ["error" if isinstance(r, str) else "null" if r is None else "number" for r in rewards]
    values = array("d", (float(r) for r in rewards if isinstance(r, int | float)))
    return Row(
        key=EpisodeKey(task="-", seed=seed, probe="random", repeat=0),
        position=0,
        session=0,
        outcome=Scored(sum(values)),
        ended=ended,  # type: ignore[arg-type]
        started=True,
        odd="",
        kinds=bytes(CODES[kind] for kind in kinds),
        values=values,
        dones=bytes(len(rewards)),
        after=(),
        open_seconds=None,
        reset_seconds=None,
        step_seconds=array("f"),
        offset=0,
    )


@pytest.mark.parametrize(
    ("answered", "rule", "score"),
    [
        (0, "sum", 0.0),
        (2, "sum", -1.0),
        (3, "sum", -3.0),
        (3, "last", -2.0),
        (3, "max", -1.0),
        (9, "sum", 2.0),
        (1, "last", -1.0),
    ],
)
def test_a_beginning_counts_what_was_answered(answered: int, rule: Rule, score: float) -> None:
    assert score_of_beginning(row(-1.0, "refused", None, -2.0, 5.0), answered, rule) == score


def test_episodes_are_cut_to_the_shortest_that_was_left_on_their_start() -> None:
    rows = [row(-1.0, -1.0, -1.0), row(-1.0), row(-2.0, -2.0, -2.0, seed=7)]
    left = [row(-1.0, -1.0, ended="left"), row(-1.0, "refused", -1.0, -1.0, ended="left")]
    assert np.array_equal(scores_as_long(rows, left, "sum"), [-2.0, -1.0, -6.0])


def test_what_was_left_is_settled_where_nothing_costs() -> None:
    free = [row(1.0), row(0.0, ended="left")]
    assert settled(free) == free
    costly = [row(1.0, -1.0), row(0.0, ended="left")]
    assert settled(costly) == costly[:1]
