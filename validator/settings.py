"""Everything a run may be told, as one frozen object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from validator.baseline import Baseline
from validator.client.frames import Json
from validator.client.limits import Limits
from validator.manifest import Manifest
from validator.policy.model import Policy
from validator.rollouts.budget import Budget
from validator.rollouts.earlier import Earlier
from validator.targets.base import Target

DEFAULT_MAX_STEPS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user asked for. Flags and files fill it; nothing else reads them."""

    budget: Budget
    policy: Policy
    manifest: Manifest
    folder: Path
    """Folder of this run: episodes and reports go there."""
    fixed: bool = False
    """Play all that the budget's scale asks for, instead of stopping where all is decided."""
    group_size: int = 8
    """G of the training run the verdict is for."""
    seed: int = 0
    """Root of every random choice of the run."""
    probes: tuple[str, ...] = ("noop", "constant", "random")
    sessions: int = 8
    """Most sessions opened at once; fewer where the server refuses or the author says so."""
    max_steps: int = DEFAULT_MAX_STEPS
    """Steps after which we stop an episode that has not ended by itself."""
    unending_steps: int | None = None
    """The same where no episode seems to end by itself; None where user or author say how long
    one is, or solutions are there to be held against it."""
    tiers: Mapping[str, Json] = field(default_factory=dict)
    """What language models and harnesses were told, by probe; no keys, no commands."""
    allow_intrusive: bool = False
    """Carry out exercises that may harm the server."""
    limits: Limits = field(default_factory=Limits)
    baseline: Baseline | None = None
    """An earlier report of the same target, to be compared with."""
    reuse: tuple[Earlier, ...] | None = None
    """Finished runs that episodes may be taken from, the newest first; None where all is played."""
    twin: Target | None = None
    """A second server of the same environment, to be compared with."""

    @property
    def most_sessions(self) -> int:
        """Return the sessions to ramp up to: never more than the author promises."""
        promised = self.manifest.envassay.concurrency
        return self.sessions if promised is None else min(self.sessions, promised)
