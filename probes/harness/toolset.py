"""What a lane's actions are as tools: the environment's own ones, or one that acts."""

import json
from dataclasses import dataclass

from probes.actions.sample import IGNORED
from probes.base import Json, Lane
from probes.model.form import LARGEST_SCHEMA, Misfit, form_of

MOST_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool as it is offered."""

    name: str
    description: str
    input_schema: dict[str, Json]
    """JSON Schema of an object."""


class Tools:
    """The tools of one lane.

    Each of the environment's own is one, with its own input schema. Where it has none the tool
    `act` stands for its action: its arguments are the action, or hold it as `action` where an
    action is no object.

    Raises:
        Unplayable: nothing is legal, or nothing is said of what is.
    """

    def __init__(self, lane: Lane) -> None:
        self._form = form_of(lane)
        own = {str(tool.get("name")): tool.get("input_schema") for tool in lane.tools or ()}
        self.offered: list[Tool] = []
        for tool in self._form.tools:
            told = tool["function"]
            assert isinstance(told, dict)
            name, read = str(told["name"]), told["parameters"]
            assert isinstance(read, dict)
            schema = own.get(name) if self._form.calls else lane.action_schema
            shown = _without_ignored(schema) if _is_of_objects(schema) else read
            self.offered.append(
                Tool(
                    name=writable(name),
                    description=writable(str(told.get("description") or "")),
                    input_schema=json.loads(writable(json.dumps(shown, ensure_ascii=False))),
                )
            )

    def action(self, name: str, arguments: dict[str, Json]) -> Json:
        """Return the environment's action for a call; whether it is legal the environment says.

        Raises:
            Misfit: there is no such tool, or it holds no action.
        """
        names = [tool.name for tool in self.offered]
        if name not in names:
            raise Misfit(f"there is no such tool; there are {', '.join(names[:MOST_NAMED])}")
        if self._form.calls or self._form.wrapped:
            return self._form.called(name, arguments)
        return arguments


def writable(text: str) -> str:
    """Return a text that can be written as UTF-8."""
    return text.encode("utf-8", "replace").decode()


def _is_of_objects(schema: Json) -> bool:
    return (
        isinstance(schema, dict)
        and schema.get("type") == "object"
        and len(json.dumps(schema)) <= LARGEST_SCHEMA
    )


def _without_ignored(schema: Json) -> dict[str, Json]:
    assert isinstance(schema, dict)
    found, needed = schema.get("properties"), schema.get("required")
    if not isinstance(found, dict):
        return schema
    kept = needed if isinstance(needed, list) else []
    return {
        **schema,
        "properties": {n: one for n, one in found.items() if n in kept or n not in IGNORED},
    }
