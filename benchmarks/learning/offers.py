"""What can be done: from a server's action schema, and from what an observation offers."""

import json
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Any
from urllib.request import urlopen

Json = dict[str, Any]
OFFERING = ("options", "arguments")
"""Fields of an observation that list what a free text may be."""


class Offer:
    """The actions of an environment: product of what each field of an action can be."""

    def __init__(self, fields: Mapping[str, list[str]], free: str) -> None:
        self.fields = dict(fields)
        """Words of each field that has a list of them."""
        self.free = free
        """The field of free text, or nothing."""

    @classmethod
    def at(cls, url: str) -> "Offer":
        """Read the action schema of a served environment."""
        with urlopen(f"{url}/schema", timeout=60) as answered:
            schema = json.load(answered)["action"]["properties"]
        fields: dict[str, list[str]] = {}
        free = ""
        for name, told in schema.items():
            if name == "metadata":  # every OpenEnv action has it
                continue
            if "enum" in told or "const" in told:
                fields[name] = [str(one) for one in told.get("enum", [told.get("const")])]
            else:
                free = name
        return cls(fields, free)

    @cached_property
    def fixed(self) -> list[Json]:
        """Actions without their free text."""
        names = list(self.fields)
        rows = product(*self.fields.values())
        return [dict(zip(names, row, strict=True)) for row in rows]

    def actions(self, observation: Mapping[str, Any]) -> list[Json]:
        """Return what can be done now."""
        if not self.free:
            return self.fixed
        texts = next(observation[name] for name in OFFERING if name in observation)
        return [{**action, self.free: text} for action in self.fixed for text in texts]
