"""Starts the command as a child process and follows its event file."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from dashboard.serve import RUNS
from reports.safe import plain

BUDGETS = ("quick", "standard", "deep")
PROBES = {
    "default": "the default ones",
    "default,search,learner": "also a search and a learner: what training gains",
}
"""Sets of probes that can be asked for, and how they are called."""
MOST_LINES = 40
MOST_BYTES = 64 * 2**20
SCHEMES = ("http://", "https://", "ws://", "wss://")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a run is told."""

    url: str
    budget: str
    group_size: int
    seed: int
    probes: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is."""

    name: str = ""
    planned: int = 0
    finished: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    sessions: int = 0
    resting: bool = False
    """No episode is being played right now: exercises and checks are, or all is done."""
    stopped: str = ""


@dataclass(slots=True, kw_only=True)
class Launched:
    """A run that was started from a page."""

    asked: Asked
    process: "subprocess.Popen[bytes]"
    events: Path
    said: IO[bytes]
    began: float
    took: float = 0.0

    @property
    def seconds(self) -> float:
        """Return the time since it began, or that it took as far as that was looked at."""
        if self.exit_code is None or not self.took:
            self.took = time.time() - self.began
        return self.took

    @property
    def exit_code(self) -> int | None:
        """Return how it ended, None while it runs."""
        return self.process.poll()

    def end(self) -> None:
        """Ask it to end; what was played is kept."""
        self.process.terminate()

    def progress(self) -> Progress:
        """Return how far it is, by the lines that are whole."""
        try:
            with self.events.open("rb") as file:
                lines = file.read(MOST_BYTES).split(b"\n")[:-1]
        except OSError:
            return Progress()
        return _progress(lines)

    def output(self) -> str:
        """Return the last lines that it printed."""
        self.said.seek(0)
        lines = self.said.read(MOST_BYTES).decode("utf-8", "replace").splitlines()
        return "\n".join(plain(line.rstrip(), 300) for line in lines[-MOST_LINES:])


def allowed() -> bool:
    """Return whether pages may start runs."""
    return os.environ.get(RUNS) == "1"


def fault_of(asked: Asked) -> str:
    """Return what is wrong with what was asked for, empty where nothing is."""
    if not asked.url.startswith(SCHEMES) or any(ord(c) <= 32 for c in asked.url):
        return f"An address begins with {', '.join(SCHEMES)} and has no blanks."
    if asked.budget not in BUDGETS:
        return f"A budget is one of {', '.join(BUDGETS)}."
    if asked.probes not in PROBES:
        return f"Probes are one of {', '.join(PROBES)}."
    return ""


def launch(asked: Asked, tracking_uri: str) -> Launched:
    """Start `envassay validate`; nothing of what is asked goes through a shell.

    Raises:
        OSError: it cannot be started.
        ValueError: what is asked makes no sense.
    """
    if fault := fault_of(asked):
        raise ValueError(fault)
    folder = Path(tempfile.mkdtemp(prefix="envassay-run-"))
    events = folder / "events.jsonl"
    said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the run is looked at
    process = subprocess.Popen(
        command(asked, events),
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=subprocess.STDOUT,
        env=os.environ | {"MLFLOW_TRACKING_URI": tracking_uri, "COLUMNS": "100", "NO_COLOR": "1"},
        start_new_session=True,
    )
    return Launched(asked=asked, process=process, events=events, said=said, began=time.time())


def command(asked: Asked, events: Path) -> list[str]:
    """Return the command line; the address of the store stands in the environment instead."""
    return [
        sys.executable, "-P", "-c", "import sys; from validator.cli.main import main; "
        "sys.exit(main())", "validate", f"--budget={asked.budget}",
        f"--group-size={asked.group_size}", f"--seed={asked.seed}", f"--probes={asked.probes}",
        f"--events={events}", "--", asked.url,
    ]  # fmt: skip


def _progress(lines: list[bytes]) -> Progress:
    name, planned, sessions, stopped, resting = "", 0, 0, "", False
    outcomes: Counter[str] = Counter()
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        match told:
            case {"event": "reached", "name": str(found)}:
                name = found
            case {"event": "planned", "planned": int(more), "kept": int(kept)}:
                planned, resting = planned + more, False
                outcomes["kept"] += kept
            case {"event": "episode", "outcome": str(outcome)}:
                outcomes[outcome] += 1
            case {"event": "sessions", "open": int(count)}:
                sessions = max(sessions, count)
            case {"event": "stopped", "why": str(why)}:
                stopped, resting = why, True
    return Progress(
        name=name,
        planned=planned,
        finished=outcomes.total(),
        outcomes={key: count for key, count in outcomes.items() if count},
        sessions=sessions,
        resting=resting,
        stopped=stopped,
    )
