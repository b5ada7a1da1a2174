"""Environments of this benchmark as addresses: starts `serve.py` with an interpreter of OpenEnv."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.learning.environments import LearningEnvironment, find_environment

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"


@contextmanager
def served(ids: Sequence[str], *, truth: bool = False) -> Iterator[dict[str, str]]:
    """Serve environments in one process; give their base addresses by id.

    Args:
        ids: Of environments in the registry.
        truth: Whether the state of a session tells the true success. Never for a validation.

    Raises:
        RuntimeError: the server did not start.
    """
    with served_rows([find_environment(name) for name in ids], truth=truth) as urls:
        yield urls


@contextmanager
def served_rows(
    rows: Sequence[LearningEnvironment], *, truth: bool = False
) -> Iterator[dict[str, str]]:
    """Serve environments that need not be in the registry."""
    child = subprocess.Popen(
        [str(PYTHON), "-m", "benchmarks.learning.serve", *(["--truth"] if truth else [])],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        asked = [
            {"id": row.id, "family": row.family, "world": row.world, "told": dict(row.told)}
            for row in rows
        ]
        child.stdin.write(json.dumps(asked) + "\n")
        child.stdin.flush()
        base = child.stdout.readline().strip()
        if not base:
            raise RuntimeError("the server of the environments did not start")
        yield {row.id: f"{base}/{row.id}" for row in rows}
    finally:
        child.stdin.close()
        child.terminate()
        child.wait()
        child.stdout.close()
