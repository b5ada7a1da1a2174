"""Where the episodes of a run went, and why no more were played."""

from typing import Literal, TypeAlias

from reports.values import Value

Stopped: TypeAlias = Literal["decided", "undecidable", "played", "advisory", "budget", "stopped"]
"""Why no more is played: it is decided; more of the same would not decide it; all that is asked
for at this budget was played; only advice was left open; the budget is spent; the time is up or
the server broke."""


class Spent(Value):
    """What was played for one check, and why no more."""

    episodes: int
    """That it asked for; what several checks asked for counts for each of them."""
    look: int
    """After which it asked for no more."""
    why: Stopped


class Spending(Value):
    """Where a run's episodes went. It stops at the first look at which all is settled."""

    looks: int
    """Places in the plan at which it could stop."""
    episodes: list[int]
    """Played up to each look that was taken, from the one before on."""
    why: Stopped
    """Why it stopped: `decided`, `played`, `budget` or `stopped`."""
    checks: dict[str, Spent]
    """By check, of those that ask for episodes."""
