"""Codes and words are found from hints whose meaning nobody tells."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from probes.actions.legal import Legal
from probes.base import Json, Lane
from probes.search.deduction import Deduction, Reading

CODE: Json = {
    "type": "object",
    "properties": {
        "code": {
            "type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6},
            "minItems": 4, "maxItems": 4,
        },
    },
    "required": ["code"],
}  # fmt: skip
FIRST: list[Any] = [[1, 1, 2, 2], [3, 4, 5, 6], [1, 1, 1, 1], [2, 6, 6, 5], [4, 3, 4, 1]]
WORD: Json = {
    "type": "object",
    "properties": {"guess": {"type": "string", "pattern": "^[a-z]{5}$"}},
    "required": ["guess"],
}


def deduction_of(schema: Json, seed: int = 0) -> Deduction:
    rng = np.random.default_rng(seed)
    return Deduction(Legal(Lane(action_schema=schema, tools=None), rng).space, rng)


def guesses(
    schema: Json,
    first: list[Any],
    name: str,
    secret: Any,
    hint: Callable[[Any, Any], dict[str, Json]],
) -> int:
    """Return how many guesses it took, given ones included: those come where none is proposed."""
    found, given = deduction_of(schema), iter(first)
    for number in range(60):
        action = found.propose() or {name: next(given, None)}
        assert isinstance(action, dict)
        assert action[name] is not None, "hints were not understood"
        if action[name] == secret:
            return number + 1
        found.note(action, hint(action[name], secret))
    raise AssertionError("not found")


def counts(guess: list[int], secret: list[int]) -> dict[str, Json]:
    equal = sum(a == b for a, b in zip(guess, secret, strict=True))
    common = sum((Counter(guess) & Counter(secret)).values())
    return {".black": equal, ".white": common - equal, ".left": 9, ".noise": sum(guess)}


def wrong(guess: list[int], secret: list[int]) -> dict[str, Json]:
    return {".tries.3.wrong": sum(a != b for a, b in zip(guess, secret, strict=True))}


def marks(right: str, elsewhere: str, absent: str) -> Callable[[str, str], dict[str, Json]]:
    def told(guess: str, secret: str) -> dict[str, Json]:
        out = [right if a == b else absent for a, b in zip(guess, secret, strict=True)]
        left = Counter(b for a, b in zip(guess, secret, strict=True) if a != b)
        for place, letter in enumerate(guess):
            if out[place] != right and left[letter]:
                left[letter] -= 1
                out[place] = elsewhere
        return {".said": guess, ".marks": "".join(out)}

    return told


@pytest.mark.parametrize("secret", [[6, 6, 1, 2], [1, 2, 3, 4], [5, 5, 5, 5], [3, 1, 6, 3]])
@pytest.mark.parametrize("hint", [counts, wrong])
def test_a_code_is_found_by_what_numbers_may_count(
    secret: list[int], hint: Callable[[Any, Any], dict[str, Json]]
) -> None:
    assert guesses(CODE, FIRST, "code", secret, hint) <= 14


def crowded(guess: list[int], secret: list[int]) -> dict[str, Json]:
    """A reply as it comes over the wire: beside the hints stand things that happen to be numbers.

    An empty member has length 0 and an older entry keeps what it said: each may be read as a count.
    """
    return {
        ".aside{}": 0,
        ".tries.0{}": 3,
        ".tries.0.right": 1,
        ".tries.0.elsewhere": 0,
        **{f".tries.4.{name}": value for name, value in
           zip(("right", "elsewhere"), counts(guess, secret).values(), strict=False)},
    }  # fmt: skip


@pytest.mark.parametrize("secret", [*itertools.product((1, 4, 6), repeat=4)])
def test_numbers_beside_the_hints_do_not_lead_astray(secret: tuple[int, ...]) -> None:
    assert guesses(CODE, FIRST, "code", [*secret], crowded) <= 12


def test_a_leaf_that_answers_one_guess_in_two_ways_is_no_hint() -> None:
    found = deduction_of(CODE)
    for step, code in enumerate([FIRST[0], FIRST[1], FIRST[0], FIRST[2]]):
        found.note({"code": code}, {".step": step})
    assert found.propose() is None


def test_the_newest_entry_may_stand_first() -> None:
    told: list[Any] = []

    def newest_first(guess: list[int], secret: list[int]) -> dict[str, Json]:
        told.insert(0, sum(a == b for a, b in zip(guess, secret, strict=True)))
        return dict(zip(map(".log.{}".format, range(10)), told, strict=False))

    assert guesses(CODE, FIRST, "code", [4, 4, 1, 3], newest_first) <= 16


@pytest.mark.parametrize("secret", ["noble", "zebra", "mamma", "eerie"])
@pytest.mark.parametrize("told", [("+", "~", "."), (".", "+", "~"), ("2", "1", "0")])
def test_a_word_is_found_whatever_its_marks_look_like(
    secret: str, told: tuple[str, str, str]
) -> None:
    assert guesses(WORD, ["crane", "moist"], "guess", secret, marks(*told)) <= 30


def test_a_reading_that_contradicts_itself_is_given_up() -> None:
    reading = Reading((0, 1, 2), 2)
    reading.note(("a", "b"), "++")
    assert reading.possible
    reading.note(("a", "c"), "++")
    assert not reading.possible


def test_hints_of_no_known_kind_are_not_followed() -> None:
    found = deduction_of(CODE)
    for code in FIRST[:3]:
        found.note({"code": code}, {".weather": 17, ".text": "no", ".long": "not a mark"})
    assert found.propose() is None
    found.note({"code": "no list"}, {".black": 1})
    found.note(["nothing"], {".black": 1})
    assert found.propose() is None


def test_actions_that_are_no_rows_are_let_be() -> None:
    schema: Json = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    found = deduction_of(schema)
    for number in range(4):
        found.note({"n": number}, {".right": 0})
    assert found.propose() is None
