"""From what is seen to the messages of a chat: rules first, the changing state last.

What comes first stays the same from call to call, so that an endpoint can keep it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from probes.base import Json, Seen

PROMPT_VERSION = "1"
"""Changes whenever the same episode would be told otherwise."""

Message: TypeAlias = dict[str, Json]

RULES = """\
You act in an environment, one action at a time, and try to earn as much reward as you can.
Each message shows what the environment says now. Work out the best next action and answer with \
it: one JSON object and nothing else.

{form}"""
MOST_MEMBERS = 200
DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much of an episode is told, in characters; a token is about four of them."""

    observation: int = 6_000
    """Most of one observation; of a longer one its beginning and its end."""
    whole: int = 16_000
    """Most of all messages after the rules; what is left out are the oldest but the first."""


@dataclass(slots=True)
class _Turn:
    shown: str
    answered: str = ""


class Talk:
    """One episode told as a conversation."""

    def __init__(
        self, explained: str, bounds: Bounds, shots: Sequence[tuple[str, Json]] = ()
    ) -> None:
        self._rules: list[Message] = [{"role": "system", "content": RULES.format(form=explained)}]
        for shown, value in shots:
            self._rules.append({"role": "user", "content": shown})
            self._rules.append({"role": "assistant", "content": json.dumps(value)})
        self._bounds = bounds
        self._turns: list[_Turn] = []
        self._left_out = 0
        """Turns after the first that are no longer told."""

    def look(self, seen: Seen) -> None:
        """Add what came back."""
        self._turns.append(_Turn(shown=told(seen, self._bounds.observation)))

    def answered(self, text: str) -> None:
        """Add what was answered to the last look."""
        self._turns[-1].answered = text

    def shrink(self) -> bool:
        """Tell half as much from now on; False where nothing is left to leave out."""
        if self._bounds.whole < 500:
            return False
        self._bounds = Bounds(
            observation=self._bounds.observation // 2, whole=self._bounds.whole // 2
        )
        for turn in self._turns:
            turn.shown = bounded(turn.shown, self._bounds.observation)
        return True

    def messages(self) -> list[Message]:
        """Return the conversation so far; the last message is what was seen last."""
        self._leave_out()
        out = [*self._rules]
        told_turns = [self._turns[0], *self._turns[1 + self._left_out :]]
        for place, turn in enumerate(told_turns):
            gap = f"[{self._left_out} turns left out]\n" if place == 1 and self._left_out else ""
            out.append({"role": "user", "content": gap + turn.shown})
            if turn.answered:
                out.append({"role": "assistant", "content": turn.answered})
        return out

    def _leave_out(self) -> None:
        """Leave out old turns, many at once, so that the beginning stays the same for long."""
        if self._size() <= self._bounds.whole:
            return
        while self._size() > self._bounds.whole // 2 and 1 + self._left_out < len(self._turns) - 1:
            self._left_out += 1

    def _size(self) -> int:
        told_turns = [self._turns[0], *self._turns[1 + self._left_out :]]
        return sum(len(turn.shown) + len(turn.answered) for turn in told_turns)


def told(seen: Seen, most: int) -> str:
    """Return one look as a text of at most about `most` characters."""
    lines = []
    if seen.error is not None:
        lines.append(f"Your last action was refused: {bounded(seen.error, 1_000)}")
        lines.append("The environment is as it was:")
    elif seen.reward is not None:
        lines.append(f"Reward of your last action: {seen.reward:g}")
    lines.append(bounded(_text_of(seen.observation, 0), most))
    return "\n".join(lines)


def bounded(text: str, most: int) -> str:
    """Return a text, or its beginning and its end with a mark that says what is missing."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    tail = most - head
    return f"{text[:head]}\n[… {len(text) - most} characters left out …]\n{text[-tail:]}"


def _text_of(value: Json, level: int) -> str:
    """Return a value as a person would read it: texts as they are, members on lines."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and level < DEEPEST:
        shown = [(k, v) for k, v in value.items() if v is not None and v != ""][:MOST_MEMBERS]
        lines = [_member(str(name), member, level) for name, member in shown]
        return "\n".join(lines) if lines else "(nothing)"
    if value is None:
        return "(nothing)"
    return json.dumps(value, ensure_ascii=False)


def _member(name: str, value: Json, level: int) -> str:
    text = _text_of(value, level + 1)
    if "\n" not in text and not isinstance(value, dict):
        return f"{name}: {text}"
    if isinstance(value, str):
        return f"{name}:\n{text}"
    return f"{name}:\n" + "\n".join(f"  {line}" for line in text.split("\n"))
