"""What an engine is given to play a plan, and what it finds out beside the episodes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.rollouts.casting import Casting
from validator.rollouts.plan import Plan
from validator.rollouts.play import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollouts:
    """What a run of the plan found out beside its episodes."""

    planned: int
    most_open: int = 0
    """Most sessions open at once, each with a reset that succeeded."""
    refused_at: int | None = None
    """Open sessions when one more was refused; None where none was."""
    unplayable: Mapping[str, str] = field(default_factory=dict)
    """Probes that had no action to offer, and why."""
    stopped: str = ""
    """Why not everything planned was run."""
    broke: bool = False
    """It was stopped because the server went on failing."""
    cut: Mapping[str, int] = field(default_factory=dict)
    """By probe, episodes that it would have learned from had there been time. Where there are some,
    what the probe reached depends on the speed of the machines."""
    infrastructure: int = 0
    """Attempts that were lost on the way and made again: nothing of the environment's."""
    seconds: float = 0.0
    bytes_received: int = 0

    def and_then(self, later: "Rollouts") -> "Rollouts":
        """Return what two rounds of one run found out together."""
        served = max(self.most_open, later.most_open)
        refused = [r for r in (self.refused_at, later.refused_at) if r is not None and r >= served]
        return Rollouts(
            planned=self.planned + later.planned,
            most_open=served,
            refused_at=min(refused, default=None),
            unplayable={**self.unplayable, **later.unplayable},
            stopped=self.stopped or later.stopped,
            broke=self.broke or later.broke,
            cut={**self.cut, **later.cut},
            infrastructure=self.infrastructure + later.infrastructure,
            seconds=self.seconds + later.seconds,
            bytes_received=self.bytes_received + later.bytes_received,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What the engine needs to play a plan."""

    plan: Plan
    casting: Casting
    rules: Rules
    most_sessions: int
    seconds: float
    """Ceiling on the time for all."""
    proven: int = 0
    """Sessions that an earlier round has had open at once."""
