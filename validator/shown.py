"""What the starts of a run show, as digests that a later run is held against."""

from metrics.digests import digest
from reports.model import Shown
from validator.evidence import Evidence
from validator.table import Row, start_of

MOST_STARTS = 200
LOOKED_AT = 4
"""Episodes of one start that must show the same before it is kept."""


def shown(evidence: Evidence) -> list[Shown]:
    """Return a digest for each start that shows the same whenever it is played.

    Ids, clocks and fractional numbers do not count. The recording of a script is kept where its
    replays agreed in full.
    """
    by_start: dict[str, list[Row]] = {}
    for row in evidence.table.rows:
        if row.started and not row.key.walk and row.key.condition == "fresh":
            by_start.setdefault(start_of(row.key), []).append(row)
    scripts = _scripts(evidence)
    found = []
    for start, rows in list(by_start.items())[:MOST_STARTS]:
        firsts = {digest(evidence.opening(row)) for row in rows[:LOOKED_AT]}
        if len(firsts) == 1:
            found.append(Shown(start=start, first=firsts.pop(), script=scripts.get(start, "")))
    return found


def _scripts(evidence: Evidence) -> dict[str, str]:
    agreed: dict[str, set[str]] = {}
    for pair in evidence.pairs:
        row = pair.original
        if row.key.scripted and row.key.repeat == 0 and pair.condition == "fresh":
            plays = agreed.setdefault(start_of(row.key), set())
            plays.add("" if pair.difference else digest(evidence.trace(row)))
    return {start: plays.pop() for start, plays in agreed.items() if len(plays) == 1}
