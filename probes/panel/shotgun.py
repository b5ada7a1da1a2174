"""`shotgun`: all possible answers in one text."""

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np

from probes.actions.listed import listed_moves
from probes.actions.text import ideas_in, texts_of
from probes.base import Json, Lane, Rung, Seen
from probes.panel.answers import of_kind
from probes.panel.writer import Saying, Writer

MOST = 400
"""Answers of a text."""
DEEPEST = 8
SEPARATORS = (", ", "\n", " ", " or ")
"""One is drawn per episode."""

_WORD = re.compile(r"[^\W\d_]+")


class Shotgun:
    """Writes whatever may be the answer, one after the other, in one text or one list.

    In this order: what the observation lists, its shorter texts, closed classes of answers of
    the kind that is asked for, its numbers and words.
    """

    name = "shotgun"
    version = "1"
    rung: Rung = "panel"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Writer:
        separator = SEPARATORS[int(rng.integers(len(SEPARATORS)))]

        def say(seen: Seen) -> Saying:
            listed = list(islice(dict.fromkeys(_candidates(seen.observation)), MOST))
            return Saying((separator.join(listed),), listed=listed)

        return Writer(lane, rng, say)


def _candidates(observation: Json) -> Iterator[str]:
    text = texts_of(observation)
    for moves in listed_moves(observation):
        yield from (move for move in moves.values if isinstance(move, str))
    yield from (one for one in _leaves(observation, 0) if 0 < len(one) <= 40 and "\n" not in one)
    yield from of_kind(frozenset(word.lower() for word in _WORD.findall(text)))
    groups = ideas_in(text)
    yield from (idea for group in groups for idea in group)


def _leaves(value: Json, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        for one in islice(inner, MOST):
            yield from _leaves(one, depth + 1)
