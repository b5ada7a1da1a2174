"""Language models and harnesses as the user names them: flags and a file, made into probes.

Keys are read from environment variables here and handed on; nothing else of them is kept.
"""

import hashlib
import json
import math
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from probes.base import Json, Probe
from probes.harness.caller import speaks_mcp
from probes.harness.harness import Harness
from probes.harness.tier import HarnessProbe
from probes.model.cache import Cache
from probes.model.endpoint import Pace, Place
from probes.model.ledger import Budget, Prices
from probes.model.prompt import Bounds
from probes.model.tier import ModelProbe, Tier
from validator.errors import SettingsError
from validator.operator_file import read_file
from validator.operator_yaml import NoYaml, parsed

KEY_VARIABLE = "ENVASSAY_MODEL_API_KEY"
MOST_BYTES = 2**20
PASSED = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""Environment variables that every harness gets."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})

Positive: TypeAlias = Annotated[int, Field(gt=0, strict=True)]
Duration: TypeAlias = Annotated[FiniteFloat, Field(gt=0)]
Price: TypeAlias = Annotated[FiniteFloat, Field(ge=0)]


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PricesBlock(_Block):
    """What a million tokens cost."""

    prompt: Price
    completion: Price
    cached: Price | None = None


class BudgetBlock(_Block):
    """Ceilings on what one probe may use."""

    calls: Positive = 1_000
    tokens: Positive = 2_000_000
    money: Price | None = None
    seconds: Duration = 1_800.0


class ModelBlock(_Block):
    """One language model."""

    url: str
    model: str = ""
    key_variable: str = ""
    mode: Literal["auto", "schema", "tools", "text"] = "auto"
    temperature: Annotated[FiniteFloat, Field(ge=0, le=2)] = 0.0
    starts: Positive = 20
    repeats: Positive = 1
    reply_tokens: Positive = 256
    observation_characters: Annotated[int, Field(ge=200, strict=True)] = 6_000
    prompt_characters: Annotated[int, Field(ge=500, strict=True)] = 16_000
    concurrency: Positive = 4
    calls_per_minute: Duration | None = None
    call_seconds: Duration = 120.0
    patience_seconds: Duration = 180.0
    prices: PricesBlock | None = None
    budget: BudgetBlock = BudgetBlock()


class HarnessBlock(_Block):
    """One command-line agent."""

    command: str | list[str]
    speaks: Literal["lines", "mcp"] | None = None
    version: str = ""
    environment: list[str] = []
    starts: Positive = 20
    repeats: Positive = 1
    act_seconds: Duration = 120.0
    seconds: Duration = 1_800.0


class TiersFile(_Block):
    """The file of `--models`."""

    models: dict[str, ModelBlock] = {}
    harnesses: dict[str, HarnessBlock] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """All slow probes of a run, in the order in which they are named."""

    models: Mapping[str, ModelBlock]
    harnesses: Mapping[str, HarnessBlock]

    @property
    def told(self) -> dict[str, Json]:
        """Return by probe what decides how it plays, without commands, keys and paces."""
        found: dict[str, Json] = {}
        for name, block in self.models.items():
            kept = block.model_dump(
                mode="json",
                include={
                    "url", "model", "mode", "temperature", "starts", "repeats", "reply_tokens",
                    "observation_characters", "prompt_characters",
                },
            )  # fmt: skip
            found[f"model:{name}"] = kept
        for name, harness in self.harnesses.items():
            command = json.dumps(words_of(harness.command, name)).encode()
            found[f"harness:{name}"] = {
                "command_sha256": hashlib.sha256(command).hexdigest(),
                "speaks": _spoken(harness, name),
                "starts": harness.starts,
                "repeats": harness.repeats,
            }
        return found

    def probes(self, cache: Path | None) -> list[Probe]:
        """Make the probes; replies of models are kept in the file `cache`.

        Raises:
            SettingsError: an address, a key or a command cannot be used.
        """
        models = [_model(name, block, cache) for name, block in self.models.items()]
        harnesses = [_harness(name, block) for name, block in self.harnesses.items()]
        return [*models, *harnesses]


def read_tiers(
    file: Path | None, models: Iterable[str] = (), harnesses: Iterable[str] = ()
) -> Tiers:
    """Return the tiers of a file and of flags, `NAME=URL[#MODEL]` and `NAME=COMMAND`.

    Raises:
        SettingsError: one is malformed, or a name is used twice.
    """
    found = _read_file(file) if file else TiersFile()
    all_models, all_harnesses = dict(found.models), dict(found.harnesses)
    for text in models:
        name, url = _split(text, flag="--model", form="NAME=URL or NAME=URL#MODEL")
        address, _, model = url.partition("#")
        _add(all_models, name, ModelBlock(url=address, model=model), flag="--model")
    for text in harnesses:
        name, command = _split(text, flag="--harness", form="NAME=COMMAND")
        _add(all_harnesses, name, HarnessBlock(command=command), flag="--harness")
    for name in (*all_models, *all_harnesses):
        if not _NAME.fullmatch(name):
            raise SettingsError(
                f"{name!r:.60} is no name",
                where="--model, --harness",
                do="Use up to 40 letters, digits, dots, hyphens and underscores.",
            )
    return Tiers(models=all_models, harnesses=all_harnesses)


def words_of(command: str | Sequence[str], name: str) -> tuple[str, ...]:
    """Return the words of a command.

    Raises:
        SettingsError: there are none, or a quotation does not end.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:
        words = []
    if not words or not words[0]:
        raise SettingsError(
            "has no command that can be run",
            where=f"harness {name}",
            do="Write it as in a shell; quotations must end.",
        )
    return tuple(words)


def _model(name: str, block: ModelBlock, cache: Path | None) -> ModelProbe:
    if block.repeats > 1 and block.temperature == 0:
        raise SettingsError(
            "plays each start several times at temperature 0, which repeats one episode",
            where=f"model {name}",
            do="Give a temperature above 0, or repeats: 1.",
        )
    variable = block.key_variable or KEY_VARIABLE
    key = os.environ.get(variable, "")
    if not block.key_variable and not _may_have_key(block.url):
        key = ""
    if block.key_variable and not key:
        raise SettingsError(
            f"the variable {variable} is empty or not set", where=f"model {name}", do="Set it."
        )
    try:
        place = Place.read(block.url, key=key, key_variable=variable)
    except ValueError as fault:
        raise SettingsError(
            str(fault), where=f"model {name}", do="Write it as http://host:port/v1."
        ) from None
    money = block.budget.money
    if money is not None and block.prices is None:
        raise SettingsError(
            "has a budget in money and no prices", where=f"model {name}", do="Give its prices."
        )
    tier = Tier(
        name=name,
        model=block.model,
        mode=block.mode,
        temperature=block.temperature,
        starts=block.starts,
        repeats=block.repeats,
        reply_tokens=block.reply_tokens,
        bounds=Bounds(observation=block.observation_characters, whole=block.prompt_characters),
        pace=Pace(
            concurrency=block.concurrency,
            per_minute=block.calls_per_minute or math.inf,
            call_seconds=block.call_seconds,
            patience_seconds=block.patience_seconds,
        ),
        budget=Budget(
            calls=block.budget.calls,
            tokens=block.budget.tokens,
            money=math.inf if money is None else money,
            seconds=block.budget.seconds,
        ),
        prices=None
        if block.prices is None
        else Prices(
            prompt=block.prices.prompt,
            completion=block.prices.completion,
            cached=block.prices.cached,
        ),
    )
    return ModelProbe(tier, place, Cache(cache))


def _may_have_key(url: str) -> bool:
    """Say whether the key that is meant for no one place may go there: not in the clear."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.hostname or "") in _LOCAL


def _harness(name: str, block: HarnessBlock) -> HarnessProbe:
    missing = [variable for variable in block.environment if variable not in os.environ]
    if missing:
        raise SettingsError(
            f"the variable {missing[0]} is not set", where=f"harness {name}", do="Set it."
        )
    passed = [variable for variable in (*PASSED, *block.environment) if variable in os.environ]
    speaks = _spoken(block, name)
    if speaks == "mcp" and find_spec("mcp") is None:
        raise SettingsError(
            "speaks MCP, and the package mcp is not installed",
            where=f"harness {name}",
            do="Install envassay[mcp].",
        )
    return HarnessProbe(
        Harness(
            name=name,
            command=words_of(block.command, name),
            speaks=speaks,
            environment={variable: os.environ[variable] for variable in passed},
            version=block.version,
            starts=block.starts,
            repeats=block.repeats,
            act_seconds=block.act_seconds,
            seconds=block.seconds,
        )
    )


def _spoken(block: HarnessBlock, name: str) -> Literal["lines", "mcp"]:
    """Return what a harness speaks: MCP where its command has a place for where the server is."""
    if block.speaks is not None:
        return block.speaks
    return "mcp" if speaks_mcp(words_of(block.command, name)) else "lines"


def _split(text: str, *, flag: str, form: str) -> tuple[str, str]:
    name, equals, rest = text.partition("=")
    if not equals or not name.strip() or not rest.strip():
        raise SettingsError(f"cannot be {text!r:.60}", where=flag, do=f"Write it as {form}.")
    return name.strip(), rest.strip()


def _add(
    blocks: dict[str, ModelBlock] | dict[str, HarnessBlock],
    name: str,
    block: ModelBlock | HarnessBlock,
    *,
    flag: str,
) -> None:
    if name in blocks:
        raise SettingsError(f"{name!r:.60} is named twice", where=flag, do="Use another name.")
    blocks[name] = block  # type: ignore[assignment]


def _read_file(path: Path) -> TiersFile:
    raw = read_file(path, most=MOST_BYTES, do="Check --models.")
    try:
        document = parsed(raw) or {}
    except NoYaml as fault:
        raise SettingsError(
            str(fault), where=str(path), do="Check the indentation and the quotes there."
        ) from fault
    try:
        return TiersFile.model_validate(document)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"{place}: {first['msg']}", where=str(path), do="docs/language-models.md has all."
        ) from None
