"""Right answers to tasks: declared by the author, or learned from what was played."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from validator.client.frames import Json
from validator.errors import SettingsError
from validator.jsonlines import read_lines
from validator.mutants import answer_path, texts_of
from validator.rollouts.start import Start, Trajectory
from validator.trajectories import start_of_reset

MOST_ANSWERS = 10_000
SHORTEST_LEARNED, LONGEST_LEARNED = 3, 60
"""Characters of an answer that is learned: shorter ones are found by chance."""

Place: TypeAlias = tuple[str, int | None]
"""Task and seed."""

_TELLING = re.compile(
    r"(?:^|_)(?:answer|solution|secret|target|expected|correct|reference|truth|gold)(?:_|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceAnswer:
    """What the author says is right for one start."""

    start: Start
    text: str

    def fits(self, reset: Mapping[str, Json]) -> bool:
        """Say whether a reset begins this task; a seed that the answer leaves out is none of it."""
        ours = self.start.reset
        return all(reset.get(name) == value for name, value in ours.items()) and all(
            name in ours or name == "seed" for name in reset
        )

    def walk(self, name: str, actions: tuple[Json, ...]) -> Trajectory:
        """Return an episode of this start that takes some actions."""
        return Trajectory(id=f"{self.start.task.id[1:]}{name}", start=self.start, actions=actions)


def read_answers(path: Path) -> tuple[ReferenceAnswer, ...]:
    """Read a file with one JSON object a line: `{"reset": {...}, "answer": "..."}`.

    Raises:
        SettingsError: it cannot be read, or a line is no answer; the line is named.
    """
    found: list[ReferenceAnswer] = []
    for number, line in read_lines(path):
        value = line if isinstance(line, Mapping) else {}
        reset, text = value.get("reset", {}), value.get("answer")
        if not isinstance(reset, Mapping) or not isinstance(text, str | int | float) or text == "":
            raise SettingsError(
                f"line {number} is no answer",
                where=str(path),
                do='Write {"reset": {...}, "answer": "..."} on each line.',
            )
        start = start_of_reset(reset, f"answer/{len(found)}")
        found.append(ReferenceAnswer(start=start, text=str(text)))
        if len(found) > MOST_ANSWERS:
            raise SettingsError(
                f"holds more than {MOST_ANSWERS} answers", where=str(path), do="Cut it."
            )
    return tuple(found)


def winning_answers(last: Mapping[Place, Json]) -> dict[Place, str]:
    """Return the answers that the last actions of won episodes hold, by start.

    That is the text that differs most from start to start; there is none where only one start
    was won.
    """
    path = answer_path(list(last.values()))
    if path is None:
        return {}
    held = {place: dict(texts_of(action)).get(path, "") for place, action in last.items()}
    return {place: text for place, text in held.items() if _learnable(text)}


def revealed_answers(
    first: Json, final: Json, *, named: bool = False, shortest: int = SHORTEST_LEARNED
) -> Iterator[str]:
    """Yield what the last observation shows under the name of an answer, and the first does not.

    Args:
        first: The observation that began an episode.
        final: The one that ended it.
        named: A field around both is named like an answer.
        shortest: Characters of an answer at least.

    Example:
        >>> list(revealed_answers({"solution": None}, {"solution": "tiger", "tries": 6}))
        ['tiger']
    """
    if isinstance(final, dict):
        for name, value in final.items():
            before = first.get(name) if isinstance(first, dict) else None
            telling = named or bool(_TELLING.search(name))
            yield from revealed_answers(before, value, named=telling, shortest=shortest)
    elif named and final != first and _is_answer(final, shortest):
        yield str(final)


def survey(episodes: Sequence[tuple[Sequence[Json], Sequence[bool]]]) -> tuple[Json, ...]:
    """Return one call of each tool that was seen called, those that ended nothing first.

    Args:
        episodes: Actions of each episode, and for each action whether it ended the episode.
    """
    gentle: dict[str, Json] = {}
    final: dict[str, Json] = {}
    for actions, ended in episodes:
        for action, end in zip(actions, ended, strict=False):
            tool = action.get("tool_name") if isinstance(action, dict) else None
            if isinstance(tool, str):
                (final if end else gentle).setdefault(tool, action)
    rest = [action for tool, action in final.items() if tool not in gentle]
    return (*gentle.values(), *rest[:1])


def _is_answer(value: Json, shortest: int) -> bool:
    return type(value) in (str, int, float) and _learnable(str(value), shortest)


def _learnable(text: str, shortest: int = SHORTEST_LEARNED) -> bool:
    return shortest <= len(text.strip()) <= LONGEST_LEARNED
