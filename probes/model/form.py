"""What a reply must look like, and how it becomes an action of the environment.

A reply is one JSON object. Where actions are objects it is the action itself; where they are
something else it is `{"action": …}`; where they are calls of listed tools it is
`{"tool": …, "arguments": {…}}`, whatever the environment's own call looks like.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from probes.actions.fit import fits
from probes.actions.offer import ARGUMENTS, TOOL, space_of
from probes.actions.space import Choice, Node, Object, Space, Text, Union, Whole, resolve
from probes.base import Json, Lane, Unplayable
from probes.model.schema import members, strict_schema, without_nulls
from probes.model.wording import LONGEST_DESCRIPTION, example, kind_of, member_line

ACT = "act"
"""Name of the one tool where the environment itself has none."""
MOST_LINES = 60
LARGEST_SCHEMA = 200_000
"""Characters of a schema that an endpoint may be given."""
EXAMPLES = 2
TEXT_SHOTS: tuple[tuple[str, Json], ...] = (
    ("What colour is fresh snow?", "white"),
    ("What is 2 + 3?", "5"),
    ("How many legs do two cats have?", "8"),
    ("Commands: open door, go back. A closed door is before you.", "open door"),
)
"""A member that is a text is not told by a form alone: small models write anything, or nothing."""
WHOLE_SHOTS: tuple[tuple[str, Json], ...] = (
    ("How many days has a week?", 7),
    ("What is 2 + 3?", 5),
    ("How many legs do two cats have?", 8),
    ("You are at 0. Your goal is at -1. Where is your goal?", -1),
)


class Misfit(Exception):
    """The reply holds no action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a reply in one lane."""

    schema: dict[str, Json]
    """JSON Schema of the object that is asked for."""
    tools: tuple[dict[str, Json], ...]
    """The same as tools of a chat completion."""
    explained: str
    """The same in words, with examples."""
    shots: tuple[tuple[str, Json], ...] = ()
    """Turns in other environments, to show the form: what is seen, and the reply."""
    reading: "_Acting | _Calling"

    @property
    def calls(self) -> bool:
        """Say whether an action is a call of one of the environment's own tools."""
        return isinstance(self.reading, _Calling)

    @property
    def wrapped(self) -> bool:
        """Say whether an action is no object, and stands in one."""
        return isinstance(self.reading, _Acting) and self.reading.wrapped

    def action(self, value: Json) -> Json:
        """Return the environment's action for the object of a reply.

        Raises:
            Misfit: it is none.
        """
        return self.reading.action(value)

    def called(self, name: str, arguments: Json) -> Json:
        """Return the environment's action for a tool call.

        Raises:
            Misfit: it is none.
        """
        return self.reading.called(name, arguments)

    def of_text(self, text: str) -> Json:
        """Return the action that a text alone is, where an action is one text.

        Raises:
            Misfit: an action is more than that.
        """
        return self.reading.of_text(text)


def form_of(lane: Lane) -> Form:
    """Return the form of replies in a lane.

    Raises:
        Unplayable: nothing is legal, or nothing is said of what is.
    """
    space = space_of(lane)
    calls = _calls(space) if lane.tools else None
    form = _form_of_calls(space, calls, lane) if calls else _form_of_actions(space)
    if len(json.dumps(form.schema)) > LARGEST_SCHEMA or len(form.explained) > LARGEST_SCHEMA:
        raise Unplayable("the form of an action is too large for a prompt")
    return form


# Actions as they are.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Acting:
    space: Space
    wrapped: bool
    """The action is no object, and stands in one."""

    def action(self, value: Json) -> Json:
        root = resolve(self.space, self.space.root)
        if self.wrapped:
            found = value.get("action", value) if isinstance(value, dict) else value
            return without_nulls(self.space, root, found)
        names = {one.name for one in root.fields} if isinstance(root, Object) else set()
        if isinstance(value, dict) and not names.intersection(value):
            value = _inside(value)
        if not isinstance(value, dict):
            return self._lone(value)
        if names and not names.intersection(value):
            raise Misfit(f"the object has none of {', '.join(sorted(names)[:10])}")
        return without_nulls(self.space, root, value)

    def called(self, name: str, arguments: Json) -> Json:
        return self.action(_parsed(arguments) if isinstance(arguments, str) else arguments)

    def of_text(self, text: str) -> Json:
        lone = self._lone_member()
        if lone is None or not isinstance(resolve(self.space, lone[1]), Text):
            raise Misfit("there is no JSON object in it")
        return {lone[0]: text}

    def shots(self) -> tuple[tuple[str, Json], ...]:
        """Return example turns where an action is one text or one whole number."""
        lone = self._lone_member()
        node = resolve(self.space, lone[1]) if lone else None
        if lone is None or not isinstance(node, Text | Whole):
            return ()
        shots = TEXT_SHOTS if isinstance(node, Text) else WHOLE_SHOTS
        return tuple(
            (seen, {lone[0]: value}) for seen, value in shots if fits(self.space, node, value)
        )

    def _lone(self, value: Json) -> Json:
        """Return the action that one value is, where an action has one member."""
        lone = self._lone_member()
        if lone is None or not fits(self.space, lone[1], value):
            raise Misfit("it is no JSON object")
        return {lone[0]: value}

    def _lone_member(self) -> tuple[str, Node] | None:
        root = resolve(self.space, self.space.root)
        needed = [one for one in members(root) if one.required] if isinstance(root, Object) else []
        return (needed[0].name, needed[0].node) if len(needed) == 1 else None


def _form_of_actions(space: Space) -> Form:
    root = resolve(space, space.root)
    wrapped = not isinstance(root, Object)
    schema = (
        _wrap(strict_schema(space, space.root), "action")
        if wrapped
        else strict_schema(space, space.root)
    )
    lines = ["An action is a JSON object of this form:"]
    if isinstance(root, Object):
        lines += [member_line(space, one) for one in members(root)[:MOST_LINES]]
    else:
        lines.append(f"- action: {kind_of(space, root)}")
    reading = _Acting(space=space, wrapped=wrapped)
    shots = reading.shots()
    if not shots:
        found = [example(space, root, number) for number in range(EXAMPLES)]
        lines += _examples([{"action": one} for one in found] if wrapped else found)
    tool: dict[str, Json] = {"name": ACT, "description": "Take an action", "parameters": schema}
    return Form(
        schema=schema,
        tools=({"type": "function", "function": tool},),
        explained="\n".join(lines),
        shots=shots,
        reading=reading,
    )


# Calls of listed tools.

_NO_ARGUMENTS: Node = Object(fields=(), rest=Union(options=()))

Call: TypeAlias = tuple[str, Object]
"""Name of a tool, and the object that is a call of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Calling:
    space: Space
    calls: Mapping[str, Object]

    def action(self, value: Json) -> Json:
        value = value.get("call", value) if isinstance(value, dict) else value
        if not isinstance(value, dict):
            raise Misfit("it is no JSON object")
        name = next((value[n] for n in ("tool", TOOL, "name", "function") if n in value), None)
        if isinstance(name, dict):  # {"function": {"name": …, "arguments": …}}
            return self.action(name)
        if not isinstance(name, str):
            raise Misfit("it names no tool")
        found = next((value[n] for n in ("arguments", *sorted(ARGUMENTS)) if n in value), None)
        return self.called(name, found)

    def called(self, name: str, arguments: Json) -> Json:
        if isinstance(arguments, str):
            arguments = _parsed(arguments)
        if arguments is not None and not isinstance(arguments, dict):
            raise Misfit("the arguments are no JSON object")
        shape = self.calls.get(name) or next(iter(self.calls.values()))
        action: dict[str, Json] = {}
        for one in shape.fields:
            if one.name == TOOL:
                action[TOOL] = name
            elif one.name in ARGUMENTS:
                action[one.name] = without_nulls(self.space, one.node, arguments or {})
            elif isinstance(one.node, Choice) and one.required and one.node.values:
                action[one.name] = one.node.values[0]
        return action

    def of_text(self, text: str) -> Json:
        raise Misfit("there is no JSON object in it")


def _calls(space: Space) -> dict[str, Object] | None:
    """Return the calls by tool, None where actions are no tool calls."""
    root = resolve(space, space.root)
    if not isinstance(root, Union):
        return None
    found: dict[str, Object] = {}
    for option in root.options:
        call = resolve(space, option)
        if not isinstance(call, Object):
            return None
        named = next((one.node for one in call.fields if one.name == TOOL), None)
        if not (isinstance(named, Choice) and named.values and isinstance(named.values[0], str)):
            return None
        found[named.values[0]] = call
    return found or None


def _form_of_calls(space: Space, calls: Mapping[str, Object], lane: Lane) -> Form:
    told = {
        str(tool.get("name")): " ".join(str(tool.get("description") or "").split())
        for tool in (lane.tools or ())
    }
    options: list[Json] = []
    tools: list[dict[str, Json]] = []
    lines = ["An action is a call of one of these tools:"]
    shown: list[Json] = []
    defs: dict[str, Json] = {}
    for name, call in calls.items():
        node = next((one.node for one in call.fields if one.name in ARGUMENTS), _NO_ARGUMENTS)
        schema = strict_schema(space, node)
        description = told.get(name, "")[:LONGEST_DESCRIPTION]
        function: dict[str, Json] = {
            "name": name, "description": description, "parameters": schema,
        }  # fmt: skip
        tools.append({"type": "function", "function": function})
        found = schema.get("$defs")
        defs |= found if isinstance(found, dict) else {}
        inner = {key: value for key, value in schema.items() if key != "$defs"}
        options.append(_call_schema(name, inner))
        if len(lines) < MOST_LINES:
            lines.append(f"- {name} {kind_of(space, node)}" + _told(description))
        shown.append({"tool": name, "arguments": example(space, node, 0)})
    whole = options[0] if len(options) == 1 else _wrap({"anyOf": options}, "call")
    assert isinstance(whole, dict)
    if len(options) > 1:
        shown = [{"call": one} for one in shown]
    return Form(
        schema={**whole, "$defs": defs} if defs else whole,
        tools=tuple(tools),
        explained="\n".join([*lines, *_examples(shown[:EXAMPLES])]),
        reading=_Calling(space=space, calls=calls),
    )


def _call_schema(name: str, arguments: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": {"tool": {"enum": [name]}, "arguments": arguments},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def _wrap(schema: dict[str, Json], name: str) -> dict[str, Json]:
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    whole: dict[str, Json] = {
        "type": "object",
        "properties": {name: inner},
        "required": [name],
        "additionalProperties": False,
    }
    return {**whole, "$defs": schema["$defs"]} if "$defs" in schema else whole


def _examples(shown: list[Json]) -> list[str]:
    texts = dict.fromkeys(json.dumps(one, ensure_ascii=False) for one in shown)
    return ["For example:", *texts]


def _told(description: str) -> str:
    return f": {description}" if description else ""


def _inside(value: dict[str, Json]) -> Json:
    """Return what stands in an object that is but a wrapping of the action."""
    if "arguments" in value or "parameters" in value:  # a tool call written as text
        found = value.get("arguments", value.get("parameters"))
        return _parsed(found) if isinstance(found, str) else found
    return value["action"] if set(value) == {"action"} else value


def _parsed(text: str) -> Json:
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        raise Misfit("the arguments are no JSON") from None
    return found
