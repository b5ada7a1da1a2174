"""What RFC 008 asks of a complete `validation:` block, and the bounds of its policies.

The manifest itself is read with every field optional; this is the stricter reading.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    ValidationError,
    model_validator,
)

from validator.client.frames import Json

LONGEST_TIMEOUT = 3600.0
"""Seconds an episode may take at most, in both of the RFC's policies."""
MOST_ORACLE_TOLERANCE = 0.1
LEAST_FLOOR_MARGIN = 0.1
MOST_VARIANCE_TOLERANCE = 0.2

Above: TypeAlias = Annotated[FiniteFloat, Field(gt=0, strict=True)]
Text: TypeAlias = Annotated[str, Field(min_length=1)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Reward(_Section):
    range: tuple[FiniteFloat, FiniteFloat] = (0.0, 1.0)
    oracle_tolerance: Annotated[FiniteFloat, Field(ge=0, le=MOST_ORACLE_TOLERANCE)] = 0.0
    floor_margin: Annotated[FiniteFloat, Field(ge=LEAST_FLOOR_MARGIN)]
    variance_tolerance: Annotated[FiniteFloat, Field(ge=0, le=MOST_VARIANCE_TOLERANCE)] | None = (
        None
    )


class _Judge(_Section):
    model: Text
    version: Text
    params: dict[str, JsonValue] = {}


class _Resources(_Section):
    cpu: Above
    memory_mb: Above
    disk_mb: Above
    episode_timeout_s: Annotated[FiniteFloat, Field(gt=0, le=LONGEST_TIMEOUT, strict=True)]
    gpus: Annotated[int, Field(ge=0, strict=True)] = 0
    gpu_types: list[Text] = []

    @model_validator(mode="after")
    def _agree(self) -> "_Resources":
        if self.gpu_types and not self.gpus:
            raise ValueError("gpu_types are named, and gpus is 0")
        return self


class _Network(_Section):
    mode: Literal["public", "no-network", "allowlist"] = "public"
    allowed_hosts: list[Text] = []

    @model_validator(mode="after")
    def _agree(self) -> "_Network":
        if self.allowed_hosts and self.mode != "allowlist":
            raise ValueError(f"allowed_hosts are named, and mode is {self.mode!r}")
        return self


class _TaskDistribution(_Section):
    generator_seed: Annotated[int, Field(strict=True)] | Text | None = None
    dataset_version: Text | None = None
    generator_model: Text | None = None


class _Oracle(_Section):
    form: Literal["injected_state", "script"]
    location: Text


class _Verifier(_Section):
    kind: Literal["reward_channel", "script"]
    entry: Text | None = None

    @model_validator(mode="after")
    def _agree(self) -> "_Verifier":
        if (self.entry is None) == (self.kind == "script"):
            raise ValueError("entry belongs to the kind 'script', and to no other")
        return self


class _Capabilities(_Section):
    oracle: _Oracle | None = None
    verifier: _Verifier
    set_state: bool = False
    llm_judged: bool = False
    rubric_tree: bool = False
    task_api: bool = False
    canaries: Text | None = None
    declared_tools: list[Text] = []
    declared_task_count: dict[Text, Annotated[int, Field(gt=0)]] = {}

    @model_validator(mode="after")
    def _agree(self) -> "_Capabilities":
        if self.oracle and self.oracle.form == "injected_state" and not self.set_state:
            raise ValueError("an oracle of the form 'injected_state' needs set_state: true")
        return self


class _Types(_Section):
    tags: Annotated[list[Text], Field(min_length=1)]


class CompleteBlock(_Section):
    """The block as the RFC wants it."""

    manifest_schema_version: Literal["1", "2"] | None = None
    name: Text | None = None
    version: Text | None = None
    signature: Literal["openenv.yaml", "task.toml", "task.md"] | None = None
    reward: _Reward
    judge: _Judge | None = None
    resources: _Resources
    network: _Network = _Network()
    task_distribution: _TaskDistribution | None = None
    capabilities: _Capabilities
    types: _Types
    execution: JsonValue = None
    openenvd: JsonValue = None

    @model_validator(mode="after")
    def _agree(self) -> "CompleteBlock":
        judged = self.capabilities.llm_judged
        for name, found in (
            ("judge", self.judge),
            ("reward.variance_tolerance", self.reward.variance_tolerance),
        ):
            if judged and found is None:
                raise ValueError(f"llm_judged is true, which needs {name}")
        if self.judge is not None and not judged:
            raise ValueError("judge is named, and llm_judged is false")
        return self


class Fault(BaseModel):
    """One place of the block that is not as the RFC wants it."""

    path: str
    """`resources.cpu`; empty where the fault is of the block as a whole."""
    what: str
    saw: str


def faults_of(block: Mapping[str, Json]) -> list[Fault]:
    """Return where a `validation:` block is incomplete or beyond the bounds; none where it is not.

    Example:
        >>> [fault.path for fault in faults_of({"types": {"tags": []}})]
        ['reward', 'resources', 'capabilities', 'types.tags']
    """
    try:
        CompleteBlock.model_validate(block)
    except ValidationError as fault:
        return [
            Fault(
                path=".".join(str(part) for part in error["loc"]),
                what=error["msg"].removeprefix("Value error, "),
                saw="nothing" if error["type"] == "missing" else f"{error['input']!r:.80}",
            )
            for error in fault.errors(include_url=False, include_context=False)
        ]
    return []
