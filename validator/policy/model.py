"""A policy as typed values, read from a TOML file."""

import tomllib
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from reports.model import CheckId, Severity
from validator.errors import SettingsError


class Policy(BaseModel):
    """How bad each check's failure is. A check that stands in no policy is not reported."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    version: str
    title: str = ""
    severities: dict[CheckId, Severity]


def shipped_policies() -> list[str]:
    """Return the names of the policies that come with the package."""
    folder = files("validator.policy").joinpath("files")
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )


def read_policy(name: str) -> Policy:
    """Return a shipped policy by name, or one from a file.

    Raises:
        SettingsError: there is none of that name, or the file is no policy.
    """
    shipped = shipped_policies()
    if name in shipped:
        text = files("validator.policy").joinpath("files", f"{name}.toml").read_text("utf-8")
        return _parse(text, where=f"policy {name}")
    path = Path(name)
    if not path.is_file():
        near = get_close_matches(name, shipped, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise SettingsError(
            f"no policy or file named {name!r}",
            where="--policy",
            do=f"Shipped policies: {', '.join(shipped)}.{hint}",
        )
    try:
        return _parse(path.read_text("utf-8"), where=name)
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(
            f"cannot be read ({type(fault).__name__})", where=name, do="Check the file."
        ) from fault


def _parse(text: str, *, where: str) -> Policy:
    try:
        found: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise SettingsError(
            f"is no TOML: {fault}", where=where, do="docs/policy.md shows one."
        ) from fault
    try:
        return Policy.model_validate(found)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        at = ".".join(str(part) for part in first["loc"] if part != "[key]")
        raise SettingsError(
            f"{at}: {first['msg'][:1].lower()}{first['msg'][1:]}",
            where=where,
            do="docs/policy.md shows every field.",
        ) from fault
