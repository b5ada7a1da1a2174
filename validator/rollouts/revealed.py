"""Says after the end what only the end has shown."""

from collections.abc import Iterator
from itertools import islice

from validator.client.frames import Json
from validator.mutants import put_text, texts_of
from validator.reference_answers import revealed_answers

MOST_PLACES = 3
"""Texts of an action in whose place an answer is put, one at a time."""
MOST_ANSWERS = 2


def with_revealed(action: Json, first: Json, final: Json) -> Iterator[Json]:
    """Yield an action with an answer that the last observation names in the place of its texts.

    Args:
        action: The last one of the episode.
        first: The observation that began it; what stands there was not revealed.
        final: The one that ended it.

    Example:
        >>> shown = {"score": 0.0, "correct_answer": "26"}
        >>> list(with_revealed({"answer": "yes"}, {"question": "2 * 13"}, shown))
        [{'answer': '26'}]
    """
    for answer in islice(revealed_answers(first, final, shortest=1), MOST_ANSWERS):
        for path, text in islice(texts_of(action), MOST_PLACES):
            if text != answer:
                yield put_text(action, path, answer)
