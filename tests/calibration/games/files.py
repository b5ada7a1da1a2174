"""K4: a box of files and tools to work on it; hidden checks mark what is there at submit.

Six tasks, chosen by the reset argument `task`, else by the seed, which also draws the numbers.
The folder is a dictionary, made anew at every reset.
"""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from openenv.core.env_server import Observation
from pydantic import Field

from tests.calibration.games.episode import ToolGame


class Job(NamedTuple):
    """One task: what is asked, and what the file must then hold."""

    ask: str
    file: str
    right: Callable[[list[int]], list[int]]


JOBS = (
    Job("Sort the numbers of list.txt", "sorted.txt", lambda n: sorted(n)),
    Job("Write the numbers of list.txt in reverse order", "reversed.txt", lambda n: n[::-1]),
    Job("Double each number of list.txt", "doubled.txt", lambda n: [2 * x for x in n]),
    Job("Keep the even numbers of list.txt", "even.txt", lambda n: [x for x in n if x % 2 == 0]),
    Job("Write the running sums of list.txt", "sums.txt", lambda n: _running(n)),
    Job("Sort the numbers of list.txt, largest first", "down.txt", lambda n: sorted(n)[::-1]),
)


class Folder(Observation):
    """What a new episode begins with."""

    request: str
    listing: list[str] = Field(description="Files that are there now")


class FileBox(ToolGame):
    """Pays, at submit, the share of hidden checks that pass."""

    offers: ClassVar[tuple[str, ...]] = (
        "list_files", "read_file", "write_file", "run_check", "submit",
    )  # fmt: skip
    shows = Folder

    def __init__(self) -> None:
        super().__init__()
        self.job = JOBS[0]
        self.number = 0
        self.numbers: list[int] = []
        self.files: dict[str, str] = {}

    def begin(self, **options: Any) -> None:
        """Build the folder of the task."""
        task = options.get("task")
        self.number = self.draw.randrange(len(JOBS)) if task is None else int(task)
        if self.number not in range(len(JOBS)):
            raise ValueError(f"there is no task {self.number}")
        self.job = JOBS[self.number]
        self.numbers = [2 * self.draw.randrange(5, 40), *self.draw.sample(range(10, 99), 5)]
        self.files = {"list.txt": _lines(self.numbers)}

    def look(self) -> dict[str, Any]:
        """Return the request and the files."""
        ask = f"{self.job.ask} into {self.job.file}, one a line, then submit."
        return {"request": ask, "listing": sorted(self.files)}

    def checks(self) -> list[bool]:
        """Return the outcome of each hidden check: one for each line that must be there."""
        found = self.files.get(self.job.file, "").split()
        wanted = [str(number) for number in self.job.right(self.numbers)]
        lines = [found[place : place + 1] == [line] for place, line in enumerate(wanted)]
        return [*lines, len(found) == len(wanted)]

    def score(self) -> float:
        """Return the share of the checks passed."""
        passed = self.checks()
        return sum(passed) / len(passed)

    # The tools.

    def list_files(self) -> list[str]:
        """List the files of the folder."""
        return sorted(self.files)

    def read_file(self, path: str) -> str:
        """Read a file."""
        if path not in self.files:
            raise ValueError(f"no file named {path}")
        return self.files[path]

    def write_file(self, path: str, text: str) -> str:
        """Write a file, in place of what it was."""
        if len(self.files) >= 50 or len(text) > 10_000:
            raise ValueError("the folder is full")
        self.files[path] = text
        return f"{len(text)} characters written"

    def run_check(self) -> str:
        """Say whether the file asked for is there."""
        return "there" if self.job.file in self.files else f"{self.job.file} is missing"

    def submit(self) -> str:
        """Say that you are done, which ends the episode."""
        self.over = True
        return "thank you"


def solution(seed: int, task: int) -> list[dict[str, Any]]:
    """Return the tool calls that do the task of that start, as an agent may make them."""
    box = FileBox()
    box.reset(seed=seed, task=task)
    right = _lines(box.job.right(box.numbers))
    return [
        call("read_file", path="list.txt"),
        call("write_file", path=box.job.file, text=right),
        call("submit"),
    ]


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the action that calls a tool."""
    return {"type": "call_tool", "tool_name": tool, "arguments": arguments}


def _lines(numbers: list[int]) -> str:
    return "".join(f"{number}\n" for number in numbers)


def _running(numbers: list[int]) -> list[int]:
    return [sum(numbers[: place + 1]) for place in range(len(numbers))]
