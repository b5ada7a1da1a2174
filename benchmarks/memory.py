"""Peak memory and time of `envassay validate` by number of episodes, on an echo environment.

    python benchmarks/memory.py

Each run is a process of its own; what is measured is its largest resident set.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMAND = [sys.executable, "-c", "from validator.cli.main import main; raise SystemExit(main())"]
STEPS = 10


def main() -> None:
    """Print the table."""
    with subprocess.Popen(
        [sys.executable, str(HERE / "echo.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it dies under bad input, as it is tried
        text=True,
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        print("| budget | episodes played | steps each | seconds | peak memory, MiB |")
        print("|---:|---:|---:|---:|---:|")
        try:
            for episodes in (200, 30_000):
                measure(url, episodes)
        finally:
            server.terminate()


def measure(url: str, episodes: int) -> None:
    """Print a row."""
    with tempfile.TemporaryDirectory() as home:
        words = [url, "--budget", str(episodes), "--max-steps", str(STEPS), "-q", "--home", home]
        began = time.perf_counter()
        child = subprocess.Popen([*COMMAND, "validate", *words], stdout=subprocess.DEVNULL)
        _, _, used = resource_of(child)
        seconds = time.perf_counter() - began
        (table,) = Path(home).glob("runs/*/episodes.csv")
        played = len(table.read_text().splitlines()) - 1
    print(f"| {episodes:,} | {played:,} | {STEPS} | {seconds:.1f} | {used:.0f} |", flush=True)


def resource_of(child: "subprocess.Popen[bytes]") -> tuple[int, int, float]:
    """Wait for a process and return its id, its status and its peak memory in MiB."""
    pid, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert isinstance(used, resource.struct_rusage)
    return pid, status, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
