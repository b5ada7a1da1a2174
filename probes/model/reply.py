"""From what an endpoint answered to an action, a refusal, or neither."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from probes.base import Json
from probes.model.form import Form, Misfit

LONGEST = 64 * 2**10
"""Characters of a reply that are read."""
MOST_CALLS = 8
MOST_BRACES = 50
"""Places in a text where a JSON object is looked for."""
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]{0,20}[ \t]*\n?(.*?)```", re.DOTALL)


class Refused(Exception):
    """The model, or its operator, declines to answer; the text is its own."""


class Malformed(Exception):
    """The endpoint's answer is no chat completion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The first choice of a chat completion."""

    content: str
    calls: tuple[tuple[str, Json], ...] = ()
    """Name and arguments of each tool call."""
    refusal: str = ""
    cut: bool = False
    """It ended at the limit of tokens."""


def kept_part(answer: Mapping[str, Json]) -> dict[str, Json]:
    """Return what is worth keeping of a chat completion, bounded.

    Raises:
        Malformed: it is none.
    """
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        raise Malformed("answered without a choice that holds a message")
    name = answer.get("model")
    return {
        "content": _content(message.get("content"))[:LONGEST],
        "calls": [[name, arguments] for name, arguments in _calls(message.get("tool_calls"))],
        "refusal": _refusal(message.get("refusal"), first.get("finish_reason")),
        "cut": first.get("finish_reason") == "length",
        "usage": answer.get("usage") if isinstance(answer.get("usage"), dict) else None,
        "model": name[:200] if isinstance(name, str) else None,
    }


def read_reply(kept: Mapping[str, Json]) -> Reply:
    """Return the reply in what `kept_part` gave."""
    content, calls, refusal = kept.get("content"), kept.get("calls"), kept.get("refusal")
    return Reply(
        content=content if isinstance(content, str) else "",
        calls=tuple(
            (str(call[0]), call[1])
            for call in (calls if isinstance(calls, list) else ())
            if isinstance(call, list) and len(call) == 2
        ),
        refusal=refusal if isinstance(refusal, str) else "",
        cut=bool(kept.get("cut")),
    )


def action_of(reply: Reply, form: Form) -> Json:
    """Return the action that a reply holds: a tool call, a JSON object in its text, or the text.

    Raises:
        Refused: it declines.
        Misfit: it holds none.
    """
    if reply.refusal:
        raise Refused(reply.refusal)
    if reply.calls:
        return form.called(*reply.calls[0])
    text = _THINKING.sub("", reply.content).strip()
    misfit: Misfit | None = None
    for value in _values(text):
        try:
            return form.action(value)
        except Misfit as why:
            misfit = misfit or why
    if not text:
        raise Misfit("it is empty")
    if reply.cut and text.lstrip("` \njson").startswith("{"):
        raise Misfit("it ends before the JSON object does")
    try:
        return form.of_text(text)
    except Misfit as why:
        raise misfit or why from None


def _values(text: str) -> Iterator[Json]:
    """Yield the JSON values in a text: all of it, what is fenced, objects anywhere."""
    for part in (text, *_FENCE.findall(text)):
        found = _whole(part.strip())
        if found:
            yield found[0]
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    begin, places = text.find("{"), 0
    while begin >= 0 and places < MOST_BRACES:
        places += 1
        try:
            value, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            begin = text.find("{", begin + 1)
            continue
        yield value
        begin = text.find("{", end)


def _whole(text: str) -> list[Json]:
    try:
        return [json.loads(text, parse_constant=_refuse_constant)]
    except (ValueError, RecursionError):
        return []


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _content(found: Json) -> str:
    """Return the text of a message: a string, or the texts among its parts."""
    if isinstance(found, list):
        parts = [one.get("text") for one in found[:100] if isinstance(one, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return found if isinstance(found, str) else ""


def _calls(found: Json) -> list[tuple[str, Json]]:
    calls: list[tuple[str, Json]] = []
    for one in found[:MOST_CALLS] if isinstance(found, list) else ():
        function = one.get("function") if isinstance(one, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(function, dict) and isinstance(name, str):
            arguments = function.get("arguments")
            cut = arguments[:LONGEST] if isinstance(arguments, str) else arguments
            calls.append((name[:200], cut))
    return calls


def _refusal(found: Json, finish: Json) -> str:
    if isinstance(found, str) and found.strip():
        return " ".join(found.split())[:300]
    return "the endpoint's content filter" if finish == "content_filter" else ""
