"""Asks every tool that reads for the files of the author's solutions."""

import re
from collections.abc import Mapping
from typing import ClassVar

from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.reading import Observed
from validator.drills.base import Ground
from validator.drills.calls import call, needed, parameters, tools_of
from validator.drills.playing import begin
from validator.leaks import texts

MOST_TOOLS = 4
MOST_NAMES = 24
MOST_STEPS = 8
"""Reads within one episode: horizons are short."""
MOST_CHARACTERS = 20_000

USUAL = (
    "oracle.jsonl", "oracle.py", "solver.py", "solution.py", "solution.txt", "solution.sh",
    "answer.txt", "answers.jsonl", "tests/test_solution.py", "/solution/solve.sh",
)  # fmt: skip
"""Where solutions are often left."""

_NAME = re.compile(r"^(?:path|file|file_?name|name|uri)$", re.IGNORECASE)
_READS = re.compile(r"read|open|cat|show|view|get|load|print", re.IGNORECASE)


class OracleReading:
    """Reads only: one path a step, in episodes of a few steps, nothing is written."""

    name: ClassVar[str] = "oracle_reading"
    intrusive: ClassVar[bool] = False

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return the tools that read, and what each path brought."""
        names = list(dict.fromkeys([*ground.oracle_files, *USUAL]))[:MOST_NAMES]
        reads: list[Json] = []
        tools: list[Json] = []
        for tool in tools_of(ground, 32):
            given = [name for name in parameters(tool, "string") if _NAME.match(name)]
            if not given or not _READS.search(tool.name) or needed(tool) not in ([given[0]], []):
                continue
            tools.append(tool.name)
            for first in range(0, len(names), MOST_STEPS):
                try:
                    async with ground.session() as session:
                        if await begin(session, ground.starts[0]) is None:
                            continue
                        for name in names[first : first + MOST_STEPS]:
                            action = call(tool, {given[0]: name})
                            reading = await session.step(action)
                            told = (
                                "\n".join(texts(reading.observation))
                                if isinstance(reading, Observed)
                                else ""
                            )
                            reads.append(
                                {"action": action, "name": name, "told": told[:MOST_CHARACTERS]}
                            )
                except SessionFault:
                    continue
            if len(tools) == MOST_TOOLS:
                break
        return {"tools": tools, "reads": reads}
