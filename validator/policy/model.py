"""A policy as typed values, read from a TOML file."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError, model_validator

from reports.model import CheckId, Severity
from validator.errors import SettingsError
from validator.manifest import EnvassayBlock, ValidationBlock
from validator.operator_file import read_text
from validator.policy.numbers import out_of_reach
from validator.policy.rules import (
    ENDS,
    Comparison,
    Declarations,
    Line,
    Part,
    Rules,
    Threshold,
    Waiver,
)
from validator.policy.words import first_fault

MOST_BYTES = 2**16
SHOWN = "docs/policy.md shows every field."


class Policy(Part):
    """A written rule that decides. A check that stands in no policy is not reported."""

    name: Line
    version: Line
    title: str = ""
    extends: str | None = None
    """Shipped policy whose fields hold where this one says nothing."""
    severities: dict[CheckId, Severity]
    """How bad a failure of each check is."""
    external: dict[CheckId, Severity] = {}
    """The same for what another validator decides: counted where its report is merged."""
    external_expected: bool = False
    """Whether what another validator decides is an open question until it is merged."""
    thresholds: list[Threshold] = []
    declarations: Declarations = Declarations()
    waivers: list[Waiver] = []
    rules: Rules = Rules()
    baseline: Comparison = Comparison()

    @model_validator(mode="after")
    def _agree(self) -> "Policy":
        for faults in (self._twice(), self._crossed(), self._pointless()):
            for fault in faults:
                raise ValueError(fault)
        return self

    def _twice(self) -> list[str]:
        found = [
            f"{name} stands both under severities and under external"
            for name in sorted(self.severities.keys() & self.external.keys())
        ]
        for names, how in (
            ([waiver.check for waiver in self.waivers], "is waived twice"),
            ([threshold.words for threshold in self.thresholds], "is asked twice"),
            (self.declarations.required, "is required twice"),
        ):
            found += [f"{name} {how}" for name, times in Counter(names).items() if times > 1]
        return found

    def _crossed(self) -> list[str]:
        """Return thresholds on one number that nothing can meet together.

        Its lower bound lies nowhere above the number, nor that above its upper bound.
        """
        found = []
        for one in self.thresholds:
            for other in self.thresholds:
                same = one.metric == other.metric and ENDS[one.bound] <= ENDS[other.bound]
                if not same or one.at_least is None or other.at_most is None:
                    continue
                groups = {one.group_size, other.group_size} - {None}
                if len(groups) < 2 and one.at_least > other.at_most:
                    found.append(f"thresholds contradict: {one.words}, and {other.words}")
        return found

    def _pointless(self) -> list[str]:
        """Return what refers to a check that this policy does not ask."""
        asked = self.severities.keys() | self.external.keys()
        found = [
            f"a waiver names {waiver.check}, which this policy does not ask"
            + _near(waiver.check, asked)
            for waiver in self.waivers
            if "." in waiver.check and waiver.check not in asked
        ]
        for threshold in self.thresholds:
            place = threshold.metric.partition("/")[0]
            if "." in place and place not in asked:
                near = _near(place, asked)
                found.append(f"{threshold.metric}: this policy does not ask {place}{near}")
            elif "." not in place:
                found += out_of_reach(threshold)
        return found


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def shipped_policies() -> list[str]:
    """Return the names of the policies that come with the package."""
    folder = files("validator.policy").joinpath("files")
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    )


def read_policy(name: str, *, today: date | None = None) -> Policy:
    """Return a shipped policy by name, or one from a file.

    Args:
        name: Of a shipped policy, or a path.
        today: Day on which waivers must hold; UTC's where none is given.

    Raises:
        SettingsError: there is none of that name, the file is no policy, it contradicts itself,
            or one of its waivers has expired.
    """
    shipped = shipped_policies()
    where = f"policy {name}" if name in shipped else name
    policy = _policy(_table(name, shipped), where=where)
    _in_force(policy, today or datetime.now(UTC).date(), where)
    return policy


def _in_force(policy: Policy, today: date, where: str) -> None:
    for waiver in policy.waivers:
        if waiver.expires < today:
            raise SettingsError(
                f"the waiver of {waiver.check} by {waiver.owner:.60} expired on {waiver.expires}",
                where=where,
                do="Repair what it waives, or have its owner renew it.",
            )


def _table(name: str, shipped: list[str]) -> dict[str, Any]:
    """Return a policy's fields, those of the policy that it extends filled in."""
    if name in shipped:
        text = files("validator.policy").joinpath("files", f"{name}.toml").read_text("utf-8")
        found = _parse(text, where=f"policy {name}")
    else:
        found = _parse(_text(Path(name), shipped), where=name)
    base = found.get("extends")
    if base is None:
        return found
    if base not in shipped or base == name:
        near = get_close_matches(str(base), shipped, n=1)
        raise SettingsError(
            f"extends {base!r:.60}, which is no shipped policy",
            where=name,
            do=f"Shipped policies: {', '.join(shipped)}."
            + (f" Did you mean {near[0]!r}?" if near else ""),
        )
    return _overlaid(_table(base, shipped), found)


def _overlaid(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of `base` with those of `over` in place; tables are merged key by key."""
    merged = dict(base)
    for name, value in over.items():
        old = base.get(name)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[name] = {**old, **value} if both else value  # type: ignore[dict-item]
    for one, other in (("severities", "external"), ("external", "severities")):
        moved = set(over.get(one, {}) or {}) if isinstance(over.get(one), dict) else set()
        if isinstance(merged.get(other), dict):
            own = over.get(other, {})
            merged[other] = {k: v for k, v in merged[other].items() if k not in moved or k in own}
    return merged


def _text(path: Path, shipped: list[str]) -> str:
    if not path.exists() or path.is_dir():
        near = get_close_matches(str(path), shipped, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise SettingsError(
            f"no policy or file named {str(path)!r}",
            where="--policy",
            do=f"Shipped policies: {', '.join(shipped)}.{hint}",
        )
    return read_text(path, most=MOST_BYTES, do=SHOWN)


def _parse(text: str, *, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise SettingsError(f"is no TOML: {fault}", where=where, do=SHOWN) from fault
    except ValueError as fault:
        raise SettingsError("holds a number of too many digits", where=where, do=SHOWN) from fault
    except RecursionError as fault:
        raise SettingsError("is nested too deeply", where=where, do=SHOWN) from fault


def _policy(found: Mapping[str, Any], *, where: str) -> Policy:
    try:
        policy = Policy.model_validate(found)
    except ValidationError as fault:
        raise SettingsError(first_fault(fault, Policy), where=where, do=SHOWN) from fault
    if not (
        policy.severities or policy.external or policy.thresholds or policy.declarations.required
    ):
        raise SettingsError("asks nothing, so that nothing could fail", where=where, do=SHOWN)
    for path in policy.declarations.required:
        if not _is_field(path):
            raise SettingsError(
                f"declarations.required: the manifest has no field {path!r}",
                where=where,
                do="docs/manifest.md lists them.",
            )
    return policy


def _is_field(path: str) -> bool:
    """Say whether the manifest has a field of that path, as deep as it is read here."""
    block, *rest = path.split(".")
    model: Any = {"envassay": EnvassayBlock, "validation": ValidationBlock}[block]
    for part in rest:
        if model is None:
            return True  # a part of the block that is kept and not read
        if part not in model.model_fields:
            return False
        annotation = model.model_fields[part].annotation
        inner = [
            one
            for one in (annotation, *get_args(annotation))
            if isinstance(one, type) and issubclass(one, BaseModel)
        ]
        model = inner[0] if inner else None
    return True
