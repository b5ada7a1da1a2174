"""The author's declarations, read strictly.

The `validation:` block is RFC 008's and is only read; the `envassay:` block holds what that has
no field for. Every field is optional here: whether a block is complete is a check's question.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    ValidationError,
    model_validator,
)

from validator.client.reading import LARGEST
from validator.errors import SettingsError
from validator.operator_file import read_file
from validator.operator_yaml import NoYaml, parsed

MOST_BYTES = 2**20

Positive: TypeAlias = Annotated[int, Field(gt=0, strict=True)]


def _payable(value: float) -> float:
    if abs(value) > LARGEST:
        raise ValueError(f"is beyond {LARGEST:g}")
    return value


Score: TypeAlias = Annotated[FiniteFloat, AfterValidator(_payable)]
Span: TypeAlias = tuple[Score, Score]


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Judged(_Block):
    """Bound on the spread of repeats."""

    score_sd: Annotated[Score, Field(ge=0)]


class Tasks(_Block):
    """How one task is chosen at reset."""

    select: dict[str, JsonValue] | None = None
    ids: list[str | int] | None = None
    count: Positive | Literal["unbounded"] | None = None
    refuse: list[str | int] = []

    @model_validator(mode="after")
    def _one_listing(self) -> "Tasks":
        if self.ids is not None and self.count is not None:
            raise ValueError("give ids or count, not both")
        if self.ids is not None and not self.ids:
            raise ValueError("ids is empty")
        return self


class Oracle(_Block):
    """Solutions, always walked through the agent's own lane."""

    trajectories: str | None = None
    policy: str | None = None


class EnvassayBlock(_Block):
    """What RFC 008 has no field for."""

    score: Literal["sum", "last", "max"] = "sum"
    reward_timing: Literal["step", "terminal"] | None = None
    score_range: Span | None = None
    success_threshold: Score | None = None
    stochastic: bool | Judged | None = None
    seedless_reset: Literal["any", "continues"] = "any"
    carry_over: Literal["none", "curriculum"] = "none"
    horizon: Positive | Literal["unbounded"] | None = None
    truncation_field: str | None = None
    concurrency: Positive | None = None
    noop: JsonValue = None
    tasks: Tasks | None = None
    oracle: Oracle | None = None
    canaries: str | None = None
    answers: str | None = None
    answer_in_observation: bool = False
    success_field: str | None = None
    operator_switches: list[str] = []

    @model_validator(mode="after")
    def _agree(self) -> "EnvassayBlock":
        if self.score_range is not None:
            _rising("score_range", self.score_range)
            top = self.score_range[1]
            if self.success_threshold is not None and self.success_threshold > top:
                raise ValueError(
                    f"success_threshold {self.success_threshold:g} is above the range {top:g}"
                )
        return self


class RewardBlock(_Block):
    """RFC 008: what each step may pay."""

    range: Span = (0.0, 1.0)
    oracle_tolerance: Annotated[Score, Field(ge=0)] = 0.0
    floor_margin: Annotated[Score, Field(ge=0)] | None = None
    variance_tolerance: Annotated[Score, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _agree(self) -> "RewardBlock":
        _rising("range", self.range)
        return self


class Capabilities(_Block):
    """RFC 008: what the environment says it offers."""

    oracle: JsonValue = None
    verifier: dict[str, JsonValue] | None = None
    set_state: bool = False
    llm_judged: bool = False
    rubric_tree: bool = False
    task_api: bool = False
    canaries: str | None = None
    declared_tools: list[str] = []
    declared_task_count: dict[str, Positive] = {}


class ValidationBlock(_Block):
    """RFC 008's block. Sections this project does not read are kept as they are."""

    manifest_schema_version: str | None = None
    name: str | None = None
    version: str | None = None
    signature: str | None = None
    reward: RewardBlock | None = None
    judge: JsonValue = None
    resources: JsonValue = None
    network: JsonValue = None
    task_distribution: JsonValue = None
    capabilities: Capabilities | None = None
    types: JsonValue = None
    execution: JsonValue = None
    openenvd: JsonValue = None


class Manifest(_Block):
    """Both blocks; an absent block declares nothing."""

    validation: ValidationBlock | None = None
    envassay: EnvassayBlock = EnvassayBlock()
    declared: dict[str, JsonValue] | None = None
    """The two blocks as written, None where there is neither."""
    folder: Path = Path()
    """Where the files lie that it names."""

    @property
    def reward_range(self) -> Span | None:
        """Return the declared range of one step's reward."""
        reward = self.validation.reward if self.validation else None
        return reward.range if reward and "range" in reward.model_fields_set else None

    @property
    def score_range(self) -> Span | None:
        """Return the declared range of an episode's score.

        The range that RFC 008 declares is each step's; it is the score's too where the score is
        the reward of one step.
        """
        block = self.envassay
        if block.score_range is not None:
            return block.score_range
        one_step = block.score in ("last", "max") or block.reward_timing == "terminal"
        return self.reward_range if one_step else None

    @property
    def floor_margin(self) -> float | None:
        """Return RFC 008's least gap between the top and the floor."""
        reward = self.validation.reward if self.validation else None
        return reward.floor_margin if reward else None

    @property
    def episode_timeout(self) -> float | None:
        """Return the seconds that an episode may take, where a number above 0 is declared."""
        resources = self.validation.resources if self.validation else None
        found = resources.get("episode_timeout_s") if isinstance(resources, dict) else None
        usable = isinstance(found, int | float) and not isinstance(found, bool) and found > 0
        return float(found) if usable else None  # type: ignore[arg-type]

    @property
    def judged(self) -> bool:
        """Return whether the author says a language model judges."""
        block = self.validation.capabilities if self.validation else None
        return bool(block and block.llm_judged)

    @property
    def success_threshold(self) -> float | None:
        """Return the score from which an episode is a success, where one is declared."""
        block = self.envassay
        if block.success_threshold is not None:
            return block.success_threshold
        return block.score_range[1] if block.score_range else None


def read_manifest(path: Path) -> Manifest:
    """Read a manifest file.

    Raises:
        SettingsError: it cannot be read, is no YAML, or holds an unknown or malformed field.
    """
    raw = read_file(
        path, most=MOST_BYTES, do="Check --manifest: a manifest holds declarations, not data."
    )
    return parse_manifest(_yaml(raw, where=str(path)), where=str(path), folder=path.parent)


def parse_manifest(document: object, *, where: str, folder: Path = Path()) -> Manifest:
    """Read a manifest from a parsed document; the files it names lie in `folder`.

    Raises:
        SettingsError: it holds an unknown or malformed field.
    """
    if not isinstance(document, Mapping):
        raise SettingsError(
            "is no mapping", where=where, do="A manifest has `envassay:` or `validation:` on top."
        )
    for name in document:
        _refuse_near_miss(name, where=where)
    blocks = {name: document[name] for name in ("validation", "envassay") if document.get(name)}
    try:
        return Manifest(**blocks, declared=blocks or None, folder=folder)
    except ValidationError as fault:
        raise SettingsError(_first(fault), where=where, do=_mend(fault)) from fault


def _yaml(raw: bytes, *, where: str) -> object:
    try:
        return parsed(raw)
    except NoYaml as fault:
        raise SettingsError(
            str(fault), where=where, do="Check the indentation and the quotes there."
        ) from fault


def _refuse_near_miss(name: object, *, where: str) -> None:
    known = ("validation", "envassay")
    if not isinstance(name, str) or name in known:
        return
    if near := get_close_matches(name, known, n=1, cutoff=0.75):
        raise SettingsError(f"unknown block {name!r}", where=where, do=f"Did you mean {near[0]!r}?")


def _rising(name: str, span: Span) -> None:
    if span[0] >= span[1]:
        raise ValueError(f"{name} must rise, got {span[0]:g} to {span[1]:g}")


def _path(location: tuple[int | str, ...]) -> str:
    """Return where the fault is; parts with a hyphen or bracket name a union's branch."""
    parts = [str(part) for part in location]
    return ".".join(part for part in parts if not set(part) & set("-["))


def _first(fault: ValidationError) -> str:
    first = fault.errors(include_url=False, include_context=False)[0]
    name = _path(first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown field {name!r}"
    found = "" if first["type"] == "missing" else f", got {first['input']!r:.60}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{name}: {message[:1].lower()}{message[1:]}{found if 'got' not in message else ''}"


def _mend(fault: ValidationError) -> str:
    first = fault.errors(include_url=False)[0]
    if first["type"] != "extra_forbidden":
        return "docs/manifest.md lists every field."
    *parents, name = first["loc"]
    near = get_close_matches(str(name), _fields_at(parents), n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return f"{hint}docs/manifest.md lists every field."


def _fields_at(parents: list[Any]) -> list[str]:
    model: type[BaseModel] = Manifest
    for part in parents:
        inner: dict[str, type[BaseModel]] = {
            "validation": ValidationBlock, "envassay": EnvassayBlock, "reward": RewardBlock,
            "capabilities": Capabilities, "tasks": Tasks, "oracle": Oracle, "stochastic": Judged,
        }  # fmt: skip
        model = inner.get(str(part), model)
    return list(model.model_fields)
