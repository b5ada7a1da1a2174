"""What a harness probe is told, and how it fares from episode to episode."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

STUCK_IN_A_ROW = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """What a harness probe may be told."""

    name: str
    command: tuple[str, ...] = field(repr=False)
    environment: Mapping[str, str] = field(repr=False)
    """All environment variables that the command gets."""
    speaks: Literal["lines", "mcp"] = "lines"
    """Lines of JSON over its input and output, or calls of the tools of an MCP server."""
    version: str = ""
    """The user's own word for what the command is; a hash of the command where there is none."""
    starts: int = 20
    repeats: int = 1
    act_seconds: float = 120.0
    """Time for one action, starting the command included."""
    seconds: float = 1_800.0
    """Time from the first episode on after which none is begun."""


class Standing:
    """Whether a command may still play: each of its episodes tells how it went."""

    def __init__(self) -> None:
        self.gone = ""
        """Why it plays no more; empty while it does."""
        self._stuck = 0

    def acted(self) -> None:
        """Note an action."""
        self._stuck = 0

    def failed(self, why: str) -> None:
        """Count an episode that failed."""
        self._stuck += 1
        if self._stuck >= STUCK_IN_A_ROW:
            self.gone = f"{self._stuck} episodes in a row failed, the last: {why}"

    def missing(self, why: str) -> None:
        """Note that the command cannot be started."""
        self.gone = why
