"""Pieces of the author's solutions by which a copy of them is known."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from validator.manifest import Manifest
from validator.rollouts.start import Trajectory

SHORTEST = 40
"""Characters of a piece, without spaces: a shorter one may be said by chance."""
MOST_PIECES = 500
MOST_BYTES = 2**20


def oracle_files(manifest: Manifest) -> tuple[str, ...]:
    """Return the paths under which the manifest names solutions, as written and by name alone."""
    block = manifest.envassay
    named = [block.canaries, block.answers]
    if block.oracle is not None:
        named += [block.oracle.trajectories, (block.oracle.policy or "").rpartition(":")[0] or None]
    validation = manifest.validation
    rfc = validation.capabilities.oracle if validation and validation.capabilities else None
    location = rfc.get("location") if isinstance(rfc, dict) else None
    named.append(location if isinstance(location, str) else None)
    paths = [path for path in named if path]
    return tuple(dict.fromkeys([*(Path(path).name for path in paths), *paths]))


def pieces_of_code(manifest: Manifest) -> tuple[str, ...]:
    """Return the long lines of the function's file, without spaces."""
    oracle = manifest.envassay.oracle
    if oracle is None or oracle.policy is None:
        return ()
    try:
        path = manifest.folder / oracle.policy.rpartition(":")[0]
        source = path.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")
    except OSError:
        return ()
    lines = (line for line in source.splitlines() if not line.startswith(("import ", "from ")))
    return _long(lines)


def pieces_of_walks(walks: Sequence[Trajectory]) -> tuple[str, ...]:
    """Return the action lists of solutions of several actions, as JSON without spaces."""
    return _long(json.dumps(list(walk.actions)) for walk in walks if len(walk.actions) > 1)


def squeezed(text: str) -> str:
    """Return a text without spaces and escapes, so that a copy in JSON is a copy still."""
    return re.sub(r"[\s\\]", "", text)


def held(pieces: Iterable[str], text: str) -> str:
    """Return the first piece that a text holds, nothing where it holds none."""
    bare = squeezed(text)
    return next((piece for piece in pieces if piece in bare), "")


def _long(texts: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(squeezed(text) for text in texts)
    return tuple(piece for piece in found if len(piece) >= SHORTEST)[:MOST_PIECES]
