"""Where the episodes of a run went, and why no more were played."""

from typing import Literal, TypeAlias

from reports.values import Value

Stopped: TypeAlias = Literal["decided", "undecidable", "played", "advisory", "budget", "stopped"]
"""Why no more is played: it is decided; more of the same would not decide it; all that is asked
for at this budget was played; only advice was left open; the budget is spent; the time is up or
the server broke."""


class Ledger(Value):
    """Every started episode stands in exactly one of the five columns after `started`."""

    planned: int
    started: int
    reused: int = 0
    """Of these: taken from an earlier run instead of being played."""
    scored: int
    absent: int
    error: int
    timeout: int
    refused: int
    infrastructure: int = 0
    """Attempts that broke off on the way and were made again: none of them is an episode."""
    unplayable: dict[str, str] = {}
    """Probes that had no action to offer, and why: their episodes were not started."""
    stopped: str = ""
    """Why fewer were started than planned, where that is so."""


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


class Reuse(Value):
    """What became of the wish to take episodes from an earlier run."""

    run: str
    """Name of its folder; empty where there was none to take from."""
    taken: int
    """Episodes of it that stand in this report as if played now."""
    origins: dict[str, int] = {}
    """Of these, by the run that has played them: an earlier run may have taken some itself."""
    compared: int
    """Episodes that it holds and that were played anew."""
    differed: int
    """Of these, how many came out otherwise. Where one did, none is taken."""
    why: str
