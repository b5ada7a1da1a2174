"""`words`: free text that looks like language, made from words of the observation."""

import re
from collections.abc import Sequence

import numpy as np

from probes.actions.legal import Legal
from probes.actions.sample import WORDS
from probes.actions.text import texts_of
from probes.base import Json, Lane, Rung, Seen

STOP = 1 / 6
"""Chance that a text ends after a word: six words on average."""
LONGEST = 30
"""Words of a text."""
MOST_READ = 5_000
"""Words of an observation that are read."""

_WORD = re.compile(r"[^\W_]{1,30}(?:['-][^\W_]{1,30})?")


class Words:
    """Writes where a free text is wanted; where none is, it has nothing to offer.

    A text begins with any word of the observation and goes on with words that follow one another
    there. What is said by that it does not know.
    """

    name = "words"
    version = "1"
    rung: Rung = "blind"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Babbling":
        return _Babbling(Legal(lane, rng), rng)


class _Babbling:
    def __init__(self, legal: Legal, rng: np.random.Generator) -> None:
        legal.write(WORDS)  # says at once where no text is wanted
        self._legal = legal
        self._rng = rng

    def act(self, seen: Seen) -> Json:
        """Return an action with a new text."""
        self._legal.look(seen)
        return self._legal.write([babble(_WORD.findall(texts_of(seen.observation)), self._rng)])


def babble(words: Sequence[str], rng: np.random.Generator) -> str:
    """Return a text in which each word follows the one before as it did somewhere in `words`."""
    words = words[:MOST_READ] or WORDS
    follows: dict[str, list[str]] = {}
    for word, after in zip(words, words[1:], strict=False):
        follows.setdefault(word, []).append(after)
    text = [words[int(rng.integers(len(words)))]]
    while len(text) < LONGEST and rng.random() >= STOP:
        after_it = follows.get(text[-1]) or words
        text.append(after_it[int(rng.integers(len(after_it)))])
    return " ".join(text)
