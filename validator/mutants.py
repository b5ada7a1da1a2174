"""Variants of solutions that were seen to succeed: what a grader makes of them shows its measure.

The answer of a solution is the text in its last action that differs from solution to solution.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from validator.client.frames import Json
from validator.rollouts.start import VARIANT, Start, Trajectory

LONGEST_ANSWER = 60
"""Characters of an answer: what is longer is a text, of which an answer may be a part."""
LISTED = 6
"""Answers in a list, the right one among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A solution as it was walked."""

    walk: str
    start: Start
    actions: tuple[Json, ...]


def mutants(solved: Sequence[Solved]) -> Iterator[Trajectory]:
    """Yield the variants of each solution, in a fixed order.

    `cut`: the last action dropped. `swapped`: the first two different neighbours exchanged.
    Where there is an answer: `spaced`: a space before and a line break after it; `padded`: in
    a sentence; `other`: another solution's answer in its place; `listed`: among five others.
    """
    path = answer_path([one.actions[-1] for one in solved])
    answers = [] if path is None else [str(_get(one.actions[-1], path)) for one in solved]
    for number, one in enumerate(solved):
        if len(one.actions) > 1:
            yield _variant(one, "cut", one.actions[:-1])
            if swapped := _swapped(one.actions):
                yield _variant(one, "swapped", swapped)
        if path is None:
            continue
        right = answers[number]
        others = [a for a in dict.fromkeys(answers) if _bare(a) != _bare(right)]
        for name, text in _reworded(right, others, number):
            last = put_text(one.actions[-1], path, text)
            yield _variant(one, name, (*one.actions[:-1], last))


def answer_path(last: Sequence[Json]) -> tuple[str, ...] | None:
    """Return where the answer stands in the last actions, None where they hold none.

    That is the text that has the most different values, if it has two and none is long.
    """
    values: dict[tuple[str, ...], set[str]] = {}
    for action in last:
        for path, text in texts_of(action):
            values.setdefault(path, set()).add(text)
    kinds = {
        path: len(found)
        for path, found in values.items()
        if len(found) > 1 and all(0 < len(text) <= LONGEST_ANSWER for text in found)
    }
    return max(kinds, key=lambda path: kinds[path]) if kinds else None


def texts_of(value: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the texts of an action by their place; those in lists are left out."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_of(inner, (*path, key))


def _reworded(right: str, others: list[str], number: int) -> Iterator[tuple[str, str]]:
    yield "spaced", f" {right}\n"
    yield "padded", f"The answer is {right}."
    if others:
        turned = [others[(number + step) % len(others)] for step in range(len(others))]
        yield "other", turned[0]
        if len(others) >= 2:
            listed = turned[: LISTED - 1]
            listed.insert(len(listed) // 2, right)
            yield "listed", ", ".join(listed)


def _variant(one: Solved, name: str, actions: tuple[Json, ...]) -> Trajectory:
    return Trajectory(id=f"{one.walk}{VARIANT}{name}", start=one.start, actions=actions)


def _swapped(actions: tuple[Json, ...]) -> tuple[Json, ...]:
    for at in range(len(actions) - 1):
        if actions[at] != actions[at + 1]:
            return (*actions[:at], actions[at + 1], actions[at], *actions[at + 2 :])
    return ()


def _bare(text: str) -> str:
    return "".join(text.casefold().split())


def _get(value: Json, path: tuple[str, ...]) -> Json:
    for key in path:
        value = value.get(key, "") if isinstance(value, dict) else ""
    return value


def put_text(value: Json, path: tuple[str, ...], text: str) -> Json:
    """Return an action with another text at a place that `texts_of` names."""
    if not path:
        return text
    inner = dict(value) if isinstance(value, dict) else {}
    inner[path[0]] = put_text(inner.get(path[0]), path[1:], text)
    return inner
