"""Stores as a run that was ended in the middle leaves them."""

import json
from collections.abc import Iterable
from pathlib import Path

from validator.rollouts.store import Stored


def leave(path: Path, episodes: Iterable[Stored]) -> None:
    """Make a store of some episodes whose last line is torn; what was at `path` is replaced."""
    lines = [json.dumps(one.record) for one in episodes]
    path.mkdir(exist_ok=True)
    for file in path.iterdir():
        file.unlink()
    whole = "".join(f"{line}\n" for line in lines)
    (path / "_tail-000000000.jsonl").write_text(whole + lines[0][: len(lines[0]) // 2], "utf-8")
