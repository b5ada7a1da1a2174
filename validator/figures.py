"""What the report's plots are drawn from."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from metrics.divergence import Divergence
from reports.model import Figures, GroupSignal, Replays, ScoreCount
from reports.safe import plain
from validator.evidence import Evidence, Pair
from validator.headline import signal_at, signal_probe
from validator.measures import measure
from validator.table import scores_of, start_of

GROUP_SIZES = (2, 4, 8, 16, 32, 64)
CELLS = 40
"""Into which the range of scores is cut."""
MOST_STARTS = 200
"""Starts whose repetitions are told apart."""
SHOWN = 60
"""Most characters of a value that differed."""


def figures(evidence: Evidence) -> Figures:
    """Return the figures of one run."""
    return Figures(
        signal_by_group=list(_signals(evidence)),
        signal_probe=signal_probe(evidence) or "",
        scores=list(_scores(evidence)),
        replays=list(_replays(evidence.pairs)),
    )


def _signals(evidence: Evidence) -> Iterator[GroupSignal]:
    """Yield the signal at each size of group that some start was played often enough for."""
    probe = signal_probe(evidence)
    if probe is None:
        return
    played = Counter(start_of(row.key) for row in evidence.scored([probe]))
    most = max(played.values(), default=0)
    for size in sorted({*GROUP_SIZES, evidence.group_size}):
        if size <= most:
            found = measure(signal_at(evidence, size), of="starts")
            yield GroupSignal(group_size=size, signal=found)


def _scores(evidence: Evidence) -> Iterator[ScoreCount]:
    everything = scores_of(evidence.table.originals())
    if not everything.size:
        return
    low, high = float(everything.min()), float(everything.max())
    for probe in evidence.rungs:
        scores = scores_of(evidence.scored([probe]))
        tally = Counter(_cell(float(score), low, high) for score in scores)
        for score, episodes in sorted(tally.items()):
            yield ScoreCount(probe=probe, score=score, episodes=episodes)


def _cell(score: float, low: float, high: float) -> float:
    """Return the score as drawn: few values stay what they are, many fall into cells."""
    width = (high - low) / CELLS
    if width <= 0.0 or math.isinf(width):
        return score
    return float(f"{low + round((score - low) / width) * width:.12g}")


def _replays(pairs: Sequence[Pair]) -> Iterator[Replays]:
    cells: dict[tuple[str, str], list[Divergence | None]] = {}
    for pair in pairs:
        cell = (start_of(pair.original.key), pair.condition)
        cells.setdefault(cell, []).append(pair.difference)
    starts = dict.fromkeys(start for start, _ in cells)
    shown = set(list(starts)[:MOST_STARTS])
    for (start, condition), found in sorted(cells.items()):
        if start in shown:
            yield Replays(
                start=start,
                condition=condition,
                replays=len(found),
                agreed=found.count(None),
                differs=_told(found),
            )


def _told(found: Iterable[Divergence | None]) -> str:
    for one in found:
        if one is not None:
            a, b = plain(one.a, SHOWN), plain(one.b, SHOWN)
            return f"step {one.step}, {one.channel} {plain(one.path, SHOWN)}: {a} then {b}"
    return ""
