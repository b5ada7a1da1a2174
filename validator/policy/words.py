"""Says in one line what is wrong with a policy file."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from validator.policy.rules import Comparable

ID = '"runtime.seed_control"'
LISTS = {
    "thresholds": "write a list of tables, each begun with [[thresholds]]",
    "waivers": "write a list of tables, each begun with [[waivers]]",
    "declarations": 'write a list, such as ["envassay.score_range"]',
}


def first_fault(fault: ValidationError, model: type[BaseModel]) -> str:
    """Return the first thing wrong with a policy, with the nearest known key."""
    error = fault.errors(include_url=False)[0]
    place = [part for part in error["loc"] if part != "[key]"]
    if place[:1] == ["waivers"] and place[2:3] == ["check"]:
        return f"{_dotted(place[:3])}: neither a check's id nor one of {', '.join(_compared())}"
    said = _said(error, place, model)
    line = f"{_dotted(place)}: {said[:1].lower()}{said[1:]}" if place else said
    return " ".join(line.split())


def _said(error: Any, place: Sequence[str | int], model: type[BaseModel]) -> str:
    top = str(place[0]) if place else ""
    match error["type"]:
        case "extra_forbidden":
            near = get_close_matches(str(place[-1]), _keys(model), n=1)
            return "unknown key" + (f" (did you mean {near[0]!r}?)" if near else "")
        case "string_pattern_mismatch" if top in ("severities", "external"):
            return f"no check's id; write one in quotes, as {ID}"
        case "string_pattern_mismatch" if place[-1:] == ["metric"]:
            return "no number's name; write one such as headline/signal"
        case "string_pattern_mismatch" if top == "declarations":
            return "no field of the manifest; write one such as envassay.score_range"
        case "string_pattern_mismatch":
            return "write one line that is not blank"
        case "list_type":
            return LISTS.get(top, "write a list")
        case "dict_type" | "model_type":
            return f"write a table, begun with [{top}]"
        case _:
            return str(error["msg"]).removeprefix("Value error, ")


def _dotted(place: Sequence[str | int]) -> str:
    return ".".join(str(part) for part in place)


def _compared() -> tuple[str, ...]:
    return get_args(Comparable)


def _keys(model: type[BaseModel]) -> set[str]:
    """Return the names of all fields of a model and of those inside it."""
    found: set[str] = set()
    for name, field in model.model_fields.items():
        found.add(name)
        for inner in (field.annotation, *get_args(field.annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                found |= _keys(inner)
    return found
