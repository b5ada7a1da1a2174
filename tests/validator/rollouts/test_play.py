"""What an episode records of an answer that is no observation."""

import pytest

from validator.client.frames import Json
from validator.client.reading import ErrorRead, Unreadable
from validator.rollouts.play import describe

BOUND = {"loc": ["column"], "msg": "Input should be less than or equal to 6", "input": "secret"}


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        ([BOUND], "VALIDATION_ERROR: no; column: Input should be less than or equal to 6"),
        (
            [{"loc": ["moves", 0], "msg": "a"}, {"msg": "b"}],
            "VALIDATION_ERROR: no; moves.0: a; : b",
        ),
        (None, "VALIDATION_ERROR: no"),
        ([{"loc": "column"}, 3, {"msg": 4}], "VALIDATION_ERROR: no"),
    ],
)
def test_an_error_is_told_with_what_it_says_of_each_member(errors: Json, said: str) -> None:
    assert describe(ErrorRead(code="VALIDATION_ERROR", message="no", errors=errors)) == said


def test_a_hostile_list_of_errors_is_told_in_part() -> None:
    entry: Json = {"loc": ["x" * 10**5] * 10**3, "msg": "y" * 10**5}
    said = describe(ErrorRead(code="", message="z" * 10**5, errors=[entry] * 10**3))
    assert said.startswith("error: z")
    assert len(said) < 3_000


def test_an_answer_that_cannot_be_read_is_told_as_that() -> None:
    assert describe(Unreadable("invalid JSON")) == "unreadable answer: invalid JSON"
