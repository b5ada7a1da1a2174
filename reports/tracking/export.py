"""A ranking as a table to take away: CSV for spreadsheets, Parquet for programs."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from reports.tracking.entry import Entry

_TAGS = "tags"
_WORDS = ("name", "url", "verdict", "reason", "advice", "validated_at", "policy", "tool_version")
_COUNTS = ("sessions_served", "sessions_refused_at", "group_size", "episodes", "steps")
_NUMBERS = (
    "training_value", "signal", "signal_groups_per_hour", "floor", "ceiling", "reachability",
    "determinism",
)  # fmt: skip
_ENDS = {"": "estimate", "_low": "low", "_high": "high"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of a formula."""

SCHEMA = pa.schema(
    [("place", pa.int64()), ("run_id", pa.string())]
    + [(name, pa.string()) for name in (*_WORDS, _TAGS)]
    + [
        (f"{name}{end}", pa.int64() if end == "_n" else pa.float64())
        for name in _NUMBERS
        for end in (*_ENDS, "_n")
    ]
    + [(name, pa.int64()) for name in _COUNTS]
    + [("seconds", pa.float64())]
)
"""A column of each number, its interval of 95% in `_low` and `_high`, its n in `_n`; empty where
it was not measured."""


def parquet_ranking(places: Sequence[tuple[int, Entry]]) -> bytes:
    """Return the rows as one Parquet file."""
    out = io.BytesIO()
    table = pa.Table.from_pylist(list(_rows(places)), schema=SCHEMA)
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def csv_ranking(places: Sequence[tuple[int, Entry]]) -> str:
    """Return the rows as CSV in which no cell is a formula."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(SCHEMA.names)
    for row in _rows(places):
        writer.writerow([_cell(row[name]) for name in SCHEMA.names])
    return out.getvalue()


def _rows(places: Iterable[tuple[int, Entry]]) -> Iterable[dict[str, Any]]:
    for place, entry in places:
        facts = entry.facts
        row: dict[str, Any] = {"place": place, "run_id": entry.run_id}
        row |= {name: str(facts[name]) for name in _WORDS}
        row[_TAGS] = ", ".join(facts.get(_TAGS, ()))
        row |= {name: facts[name] for name in (*_COUNTS, "seconds")}
        for name in _NUMBERS:
            row |= {f"{name}{end}": entry.number(name, part) for end, part in _ENDS.items()}
            n = entry.number(name, "n")
            row[f"{name}_n"] = None if n is None else int(n)
        yield row


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    shown = value.replace("\x00", "")
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
