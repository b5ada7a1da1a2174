"""The word game as one knows it who can win it: its words, its marks, a way to the secret."""

from collections.abc import Mapping
from functools import cache
from typing import Any

WORDS = (
    "amber", "baker", "cabin", "delta", "eagle", "fable", "giant", "hazel", "ivory", "joker",
    "knife", "lemon", "mango", "noble", "ocean", "piano", "quilt", "river", "sugar", "tiger",
    "uncle", "vivid", "wheat", "yacht", "zebra", "angel", "bison", "cloud", "dwarf", "elbow",
    "frost", "grape", "honey", "image", "jelly", "koala", "lunar", "medal", "nurse", "olive",
    "pearl", "quick", "robin", "salad", "torch", "urban", "vapor", "whale", "young", "zonal",
)  # fmt: skip


@cache
def marks(guess: str, secret: str) -> str:
    """Return `+` for a letter in its place, `~` for one elsewhere in the secret, else `.`."""
    return "".join(
        "+" if letter == there else "~" if letter in secret else "."
        for letter, there in zip(guess, secret, strict=True)
    )


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the word, among those that fit all marks, that splits the others best."""
    left = [
        word
        for word in WORDS
        if all(marks(past["word"], word) == past["marks"] for past in observation["guesses"])
    ] or list(WORDS)
    best = min(left, key=lambda word: sum(_class_size(word, other, left) for other in left))
    return {"word": best}


def _class_size(word: str, secret: str, left: list[str]) -> int:
    seen = marks(word, secret)
    return sum(marks(word, other) == seen for other in left)
