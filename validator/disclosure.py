"""What an agent was shown before the end of an episode, and which answers are in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from validator.client.frames import Frame, Json, parse
from validator.client.reading import ErrorRead, Observed, read
from validator.leaks import DISGUISES, Form, found_in, holds, normalise, texts
from validator.table import Row

Lane: TypeAlias = Literal["observation", "metadata", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A part of one answer of the server that the agent gets."""

    row: Row
    step: int
    lane: Lane
    text: str
    """All its texts and numbers, one a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosed:
    """An answer that was to be read before the end, and before the agent gave it."""

    shown: Shown
    form: Form

    @property
    def disguised(self) -> bool:
        return self.form in DISGUISES

    @property
    def odd(self) -> bool:
        """Say whether it stood in a place or form that no task text has."""
        return self.disguised or self.shown.lane != "observation"


@dataclass(slots=True)
class Viewing:
    """All that was shown in the episodes of one start."""

    shown: list[Shown] = field(default_factory=list)
    _said: dict[tuple[str, int], str] = field(default_factory=dict)
    """By episode and step: what the agent had said before, normalised."""
    _texts: set[str] = field(default_factory=set)

    def add(self, row: Row, frames: list[Frame]) -> None:
        """Take in what an episode showed before its end."""
        for step, said, lanes in _before_the_end(frames):
            self._said[row.key.path, step] = said
            for lane, text in lanes:
                if text:
                    self._texts.add(text)
                    self.shown.append(Shown(row=row, step=step, lane=lane, text=text))

    def disclosed(self, answer: str, *, odd: bool) -> Disclosed | None:
        """Return where an answer was shown first, oddly or as task text; None where it was not."""
        forms = {text: found_in(answer, text) for text in self._texts}
        if not any(forms.values()):
            return None
        wanted = normalise(answer)
        found = [
            disclosed
            for one in self.shown
            for form in forms[one.text]
            if (disclosed := Disclosed(shown=one, form=form)).odd == odd
            and not holds(wanted, self._said[one.row.key.path, one.step])
        ]
        return min(found, key=_order, default=None)


def _order(found: Disclosed) -> tuple[bool, int]:
    return not found.disguised, found.shown.step


def _before_the_end(
    frames: list[Frame],
) -> Iterator[tuple[int, str, list[tuple[Lane, str]]]]:
    """Yield each answer before the end: its step, what was said till then, what it showed."""
    step, said, asked = 0, "", False
    for frame in frames:
        if frame.way == "sent":
            message = _message(frame.text)
            asked = message.get("type") in ("reset", "step", "mcp")
            if message.get("type") == "step":
                step += 1
                said += " ".join("\n".join(texts(message.get("data"))).casefold().split()) + "\n"
            continue
        if not asked:
            continue
        lanes, done = _lanes(frame.text)
        if done:
            return
        yield step, said, lanes


def _message(text: str) -> Mapping[str, Json]:
    found = parse(text)
    return found if isinstance(found, dict) else {}


def _lanes(text: str) -> tuple[list[tuple[Lane, str]], bool]:
    match read(text):
        case Observed(observation=observation, metadata=metadata, done=done):
            inner: Json = None
            if isinstance(observation, dict) and "metadata" in observation:
                inner = observation["metadata"]
                observation = {k: v for k, v in observation.items() if k != "metadata"}
            lanes: list[tuple[Lane, str]] = [
                ("observation", "\n".join(texts(observation))),
                ("metadata", "\n".join(texts([metadata, inner]))),
            ]
            return lanes, bool(done)
        case ErrorRead(message=message, errors=errors):
            return [("error", "\n".join([message, *texts(errors)]))], False
    return [], False
