"""The report as a typed document, the only source of any number shown.

Apart from the fields of `Times` and measures whose unit is seconds, equal runs give
byte-equal documents: `dump` writes keys in field order and maps in sorted order.
"""

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, FiniteFloat, JsonValue

from reports.spending import Ledger, Reuse, Spending
from reports.values import Value as _Value

Status: TypeAlias = Literal["pass", "fail", "skip", "error"]
Severity: TypeAlias = Literal["fail", "warn", "advisory"]
VerdictStatus: TypeAlias = Literal["pass", "warn", "fail"]
CheckId: TypeAlias = Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z_]+$")]


class Measure(_Value):
    """An estimate with its interval, or the reason why there is none."""

    estimate: FiniteFloat | None
    """None exactly where `undefined` says why."""
    low: FiniteFloat | None = None
    high: FiniteFloat | None = None
    level: FiniteFloat = 0.95
    n: int = 0
    """Number of what was counted: episodes, pairs, tasks; `of` says which."""
    of: str = "episodes"
    method: str = ""
    unit: str = ""
    """Empty for a share or a score; `seconds`, `episodes` and so on otherwise."""
    undefined: str | None = None


class Finding(_Value):
    """What a reader needs to believe a result, repeat it and repair it."""

    claim: str
    saw: str
    expected: str
    where: str
    reproduce: str
    do: str


class CheckResult(_Value):
    """One question and its answer."""

    id: CheckId
    severity: Severity
    """From the policy."""
    status: Status
    question: bool = False
    """True where a declaration of the author would settle it: counted as advisory."""
    reason: str
    """One line: why this status."""
    needed: str = ""
    """For a skip: what would make it decidable."""
    measured: dict[str, Measure] = {}
    findings: list[Finding] = []
    asked_by: str = ""
    """Tool that answered it, where its report was merged; empty for our own."""


class Learning(_Value):
    """How a probe that learns over episodes got better."""

    episodes: int
    """Scored ones that it learned from."""
    curve: list[tuple[int, FiniteFloat]]
    """Episodes so far, and the mean score since the last point."""
    slope: Measure
    """Score per 100 episodes."""
    improvement: Measure
    """What it earned in the end, less what one that had learned nothing earned beside it."""
    gap: Measure
    """Its score in the end where it learned, less that elsewhere."""


class Rung(_Value):
    """What one probe earned.

    Of a search the walks of the best it found, one a start; of a learner what it plays in the end,
    on starts that it never learned on; of any other all its episodes that stand alone.
    """

    probe: str
    version: str
    rung: str
    source: str
    """Distribution the probe came from."""
    mean_score: Measure
    success_rate: Measure
    score_low: FiniteFloat | None
    """Least and greatest score of an episode, None where none was scored."""
    score_high: FiniteFloat | None
    mean_steps: FiniteFloat | None
    witness: str = ""
    """Name of the episode that walks the best a search found: proof that it can be reached."""
    tried: int = 0
    """Episodes that a search played to find it."""
    cut: int = 0
    """Episodes that it would have learned from had there been time. Above 0 the clock ended a
    search or a learner, and what it reached depends on how fast the machines were."""
    learning: Learning | None = None


class TaskRow(_Value):
    """What one probe earned on one task or seed."""

    task: str
    probe: str
    scored: int
    absent: int
    failed: int
    mean_score: Measure
    score_low: FiniteFloat | None
    """Least and greatest score of an episode, None where none was scored."""
    score_high: FiniteFloat | None


class Shown(_Value):
    """What one task or seed shows, where that repeats: see `metrics.digests`."""

    start: str
    first: str
    """Digest of the answer to reset."""
    script: str = ""
    """Digest of all that a fixed script of actions is answered; empty where none repeated."""


class GroupSignal(_Value):
    """What a trainer would learn from, at one size of its groups."""

    group_size: int
    signal: Measure


class ScoreCount(_Value):
    """How often a probe earned a score."""

    probe: str
    score: FiniteFloat
    """Rounded to a fortieth of the range of all scores."""
    episodes: int


class Replays(_Value):
    """Exact repetitions of the episodes of one start, under one condition."""

    start: str
    condition: str
    """`fresh`: first on its session; `reused`: a later one; `loaded`: beside others; and so on."""
    replays: int
    agreed: int
    differs: str = ""
    """What first came back otherwise, where one did."""


class Figures(_Value):
    """What plots are drawn from, beside the ladder and the table of tasks."""

    signal_by_group: list[GroupSignal] = []
    signal_probe: str = ""
    """Whose play the signal is of."""
    scores: list[ScoreCount] = []
    replays: list[Replays] = []


class Target(_Value):
    """What was validated, by its own words and as seen."""

    url: str
    kind: str
    driver: str
    name: str
    description: str
    version: str
    fingerprint: str
    parts: dict[str, str] = {}
    """The same hash of each part of what it says: schema, metadata, tools, tasks."""
    tools: list[str] | None
    """None where the server lists no tools."""
    tasks: dict[str, int | None] | None
    """Number of tasks by split; None where the server has no task routes."""
    sessions_served: int
    """Most sessions open at once in this run."""
    sessions_refused_at: int | None
    """Number of open sessions at which one more was refused; None where none was."""


class Settings(_Value):
    """What the run was told."""

    budget: str
    episodes: int
    """Ceiling on episodes."""
    fixed: bool = False
    """All that the budget's scale asks for was to be played."""
    group_size: int
    seed: int
    probes: list[str]
    policy: str
    max_steps: int
    score: Literal["sum", "last", "max"]
    success_threshold: FiniteFloat | None
    """A score at or above it is a success; None where nothing declares one."""
    success_threshold_from: str


class ModelUse(_Value):
    """What a language-model probe was asked for. A rerun with kept replies uses as much."""

    endpoint: str
    model: str
    """Id that was asked for."""
    served: dict[str, int]
    """Replies by the model name that they gave."""
    mode: str
    """How replies were held to their form: `schema`, `tools` or `text`. Scores of different modes
    are not comparable."""
    temperature: FiniteFloat
    repeats: int
    """Episodes from each start (k)."""
    calls: int
    unmetered: int
    """Calls whose tokens the endpoint did not count."""
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    """Of the prompt tokens: those that the endpoint had kept."""
    money: FiniteFloat | None
    """By the user's prices; None where there are none."""
    refusals: int
    unreadable: int
    """Replies that held no action."""


class Costs(_Value):
    """What the run took; times, bytes and what was paid stand under `Times`."""

    episodes: int
    steps: int
    tokens: int = 0
    models: dict[str, ModelUse] = {}
    """By probe."""


class Paid(_Value):
    """What a language-model probe asked of its endpoint now: kept replies cost nothing."""

    calls: int
    retries: int
    tokens: int
    money: FiniteFloat | None


class LoadPoint(_Value):
    """How fast a number of sessions were that played at once, as one client saw it."""

    sessions: int
    steps_per_second: Measure
    """Of all of them together; resets on the way take their time."""
    step_p50: Measure
    step_p95: Measure


class Times(_Value):
    """All that differs between equal runs."""

    started_at: str
    """ISO 8601, UTC."""
    seconds: FiniteFloat
    rollout_seconds: FiniteFloat
    measures: dict[str, Measure] = {}
    """Latencies: `connect`, `first_reset`, `reset`, `step`, `steps_per_second`; `contention` is the
    share of the work for which sessions wait for one another."""
    load: list[LoadPoint] = []
    """Fewest sessions first; empty where never two were served at once."""
    bytes_received: int = 0
    paid: dict[str, Paid] = {}
    """By language-model probe."""


class Rule(_Value):
    """What a policy demands beyond the checks, and whether it holds."""

    kind: Literal["threshold", "declaration", "waiver", "baseline"]
    name: str
    severity: Severity
    status: Status
    reason: str
    needed: str = ""
    """For a skip: what would make it decidable."""


class Verdict(_Value):
    """The policy's answer."""

    status: VerdictStatus
    exit_code: int
    policy: str
    policy_version: str
    reasons: list[str]
    """One line each, most severe first; for a pass, what it rests on."""
    rules: list[Rule] = []
    """Thresholds, declarations, waivers and comparisons of the policy."""
    complete: bool = False
    """Whether a blocking question that stayed open makes it `fail`."""


class Merged(_Value):
    """A report of another validator that was taken in."""

    tool: str
    target: str
    """What it validated, in its own words."""
    source_digest: str
    policy_version: str
    levels: list[int]
    checks: list[CheckId]
    """Ids that it answered."""


class Tool(_Value):
    """What made the report."""

    name: Literal["envassay"] = "envassay"
    version: str


class Account(_Value):
    """What one validation of one target found, before a policy has judged it."""

    report_version: Literal["1"] = "1"
    tool: Tool
    run: str
    """Name of the run's folder."""
    target: Target
    manifest: dict[str, JsonValue] | None
    """The declarations as read, None where there were none."""
    settings: Settings
    verdict: Verdict | None = None
    """None until a policy has judged."""
    headline: dict[str, Measure]
    """The few numbers that rank: `signal`, `floor`, `ceiling`, `reachability`, `determinism`, and
    `training_value` where a learner was among the probes."""
    results: list[CheckResult]
    ladder: list[Rung]
    tasks: list[TaskRow]
    shown: list[Shown] = []
    """Empty in reports of versions that kept none."""
    ledger: Ledger
    spending: Spending | None = None
    """None in reports of versions that played a fixed number."""
    costs: Costs
    times: Times
    figures: Figures = Field(default_factory=Figures)
    reuse: Reuse | None = None
    """None where all was played: nothing is taken from earlier runs unless that is asked for."""
    merged: list[Merged] = []
    """Reports of other validators whose answers stand among the results."""
    manifest_file: str = ""
    """Path under which the user named the declarations."""
    manifest_lines: dict[str, int] = {}
    """Line of each of its fields, by the names from the top, joined by dots."""
    evidence_hash: str = ""
    """SHA-256 over all but run, verdict, times and where the manifest is: see `reports.signing`."""


class Report(Account):
    """One validation of one target, and what a policy makes of it."""

    verdict: Verdict


def dump(report: Report) -> str:
    """Return the report as JSON text, ending in a newline."""
    return json.dumps(report.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"


def load(text: str) -> Report:
    """Read a report back.

    Raises:
        pydantic.ValidationError: the text is no report of this version.
    """
    return Report.model_validate_json(text)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the document."""
    return Report.model_json_schema(mode="serialization")
