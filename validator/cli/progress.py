"""Draws progress from a run's events: a bar on a terminal, plain lines elsewhere."""

from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, Self

from reports.safe import terminal as safe
from validator.cli.console import errors, note
from validator.episodes import Absent, Failed, Scored
from validator.events import (
    EpisodeEnded,
    EpisodesTaken,
    Event,
    ListenerLost,
    Reached,
    RolloutsStopped,
    RunPlanned,
    SessionsChanged,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

LINES = 5
"""Plain lines over a whole run."""


class Progress:
    """A listener that shows how far a run is. Use it as a context, and as the listener."""

    def __init__(self, console: "Console | None" = None) -> None:
        self._console = console or errors()
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._counts: Counter[str] = Counter()
        self._planned = 0
        self._done = 0
        self._open = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop()

    def __call__(self, event: Event) -> None:
        match event:
            case Reached(name=name, url=url):
                self._say(f"reached {safe(name, 60)} at {safe(url, 120)}")
            case RunPlanned(planned=planned, kept=kept):
                self._begin(planned, kept)
            case SessionsChanged(open=count, refused=refused):
                self._open = count
                if refused:
                    self._say(f"sessions: {count} at once, one more is refused")
                self._update()
            case EpisodeEnded(episode=episode):
                self._done += 1
                self._counts[_column(episode.outcome)] += 1
                self._update(advance=1)
            case EpisodesTaken(episodes=taken):
                self._done += taken
                self._say(f"{taken} episodes are taken from an earlier run")
                self._update(advance=taken)
            case RolloutsStopped(why=why):
                self._stop()
                if why:
                    self._say(f"stopped: {safe(why)}")
            case ListenerLost(name=name, why=why):
                self._say(f"{name} is told nothing more: {safe(why)}")

    def _begin(self, planned: int, kept: int) -> None:
        self._planned += planned
        self._done += kept
        if kept:
            self._say(f"{kept} episodes are kept from the run that was ended")
        if not self._console.is_terminal:
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            TextColumn("episodes"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self._planned, completed=self._done)

    def _update(self, advance: int = 0) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=advance, description=self._told())
            return
        every = max(1, self._planned // LINES)
        if advance and (self._done % every == 0 or self._done == self._planned):
            note(f"episodes: {self._done}/{self._planned} {self._told()}")

    def _told(self) -> str:
        counts = ", ".join(f"{number} {word}" for word, number in sorted(self._counts.items()))
        sessions = f", {self._open} sessions" if self._open > 1 else ""
        return f"({counts}{sessions})" if counts else ""

    def _say(self, text: str) -> None:
        if self._bar is not None:
            self._bar.console.print(text)
        else:
            note(text)

    def _stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _column(outcome: Scored | Absent | Failed) -> str:
    match outcome:
        case Scored():
            return "scored"
        case Absent():
            return "absent"
        case Failed(boundary=boundary):
            return boundary
