"""A small local copy of what a ranking needs: Parquet files that may be thrown away at any time.

A search in MLflow costs milliseconds a run, so a hundred thousand runs are read from it once, and
from then on only what is new. A segment holds some runs and is written once; now and then all are
written again as two, of which the first has the newest run of each environment: to draw the
ranking, nothing else is unpacked.
"""

import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from reports.standing import VALUE
from reports.tracking.entry import Entry, Indexed, Past, packed, unpacked
from reports.tracking.names import standing_of
from reports.tracking.read import Row

FORMAT = 2
"""Files of another format are thrown away."""
GROUP_ROWS = 500
MOST_SEGMENTS = 12
"""Beyond this all are written again as two."""
TREND_RUNS = 12
"""Validations of one environment that its trend shows."""

_SCHEMA = pa.schema(
    [
        ("run_id", pa.string()),
        ("target", pa.string()),
        ("began", pa.int64()),
        ("ended", pa.int64()),
        ("verdict", pa.string()),
        ("signal", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("value", pa.float64()),
        ("value_low", pa.float64()),
        ("name", pa.string()),
        ("url", pa.string()),
        ("advice", pa.string()),
        ("tags", pa.list_(pa.string())),
        ("words", pa.string()),
        ("standing", pa.string()),
    ]
)
_NARROW = ["target", "began", "verdict", "signal", "low", "high"]
"""Columns that are held in memory for all runs."""
_WIDE = [name for name in _SCHEMA.names if name not in _NARROW]
"""Columns that are read where they are wanted: of the newest run of each environment, mostly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is known of the store that the index copies."""

    experiment: str = ""
    """Its id; another one is another store."""
    read_until: int = 0
    """The latest `ended` that was read."""


class Index:
    """The runs of one store, on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: list[Path] = []
        self._rows = _empty()
        self._place: np.ndarray[Any, Any] = np.empty((0, 2), dtype=np.int64)
        """File and row within it, of each run."""
        self._ids: list[str] | None = None
        """Run of each row, once it was asked for."""
        self.state = State()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open what a folder holds; nothing, where it holds nothing that can be read."""
        index = cls(folder)
        try:
            told = json.loads((folder / "state.json").read_text("utf-8"))
            if told.pop("format") == FORMAT:
                index._files = [folder / name for name in told.pop("files")]
                index._load()
                index.state = State(**told)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, pa.ArrowException):
            return cls(folder)
        return index

    def __len__(self) -> int:
        return int(self._rows.num_rows)

    def add(self, found: Iterable[Indexed], state: State) -> int:
        """Write runs that are not known yet as a segment, and return how many they were."""
        known = set(self._runs())
        new = {one.row.run_id: one for one in found if one.row.run_id not in known}
        if new:
            table = _table(new.values())
            self._files = [*self._files, self._write(table)]
            self._rows = pa.concat_tables([self._rows, table.select(_NARROW)])
            self._place = np.concatenate([self._place, _places(len(self._files) - 1, len(new))])
            self._ids = [*self._runs(), *new]
        if new or state != self.state:
            self.state = state
            self._note()
        return len(new)

    def tidy(self, gone: Iterable[str] = ()) -> None:
        """Leave out runs that are gone; write all as two segments where there are many."""
        left_out = set(gone) and set(gone) & set(self._runs())
        if not left_out and len(self._files) <= MOST_SEGMENTS:
            return
        whole = pa.concat_tables([pq.ParquetFile(file).read() for file in self._files])
        kept = [run not in left_out for run in whole["run_id"].to_pylist()]
        whole = whole.filter(pa.array(kept, type=pa.bool_()))
        newest = np.zeros(whole.num_rows, dtype=bool)
        starts = [places[0] for places in _by_target(whole)]
        newest[starts] = True
        before, parts = self._files, (newest, ~newest)
        self._files = [
            self._write(part)
            for mask in parts
            if (part := whole.filter(pa.array(mask)).sort_by("target")).num_rows
        ]
        self._note()
        self._load()
        for file in before:
            file.unlink(missing_ok=True)

    def clear(self) -> None:
        """Throw everything away."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._files, self.state = [], State()
        self._load()

    def entries(self) -> list[Entry]:
        """Return the newest validation of each environment, in no order."""
        groups = list(_by_target(self._rows))
        newest = [places[0] for places in groups]
        verdicts, signals, lows = (
            self._rows[name].to_pylist() for name in ("verdict", "signal", "low")
        )
        return [
            Entry(
                run_id=told["run_id"],
                verdict=verdicts[place],
                name=told["name"],
                url=told["url"],
                advice=told["advice"],
                tags=tuple(told["tags"]),
                words=told["words"],
                packed=told["standing"],
                ends={
                    (VALUE, "estimate"): told["value"],
                    (VALUE, "low"): told["value_low"],
                    ("signal", "estimate"): signals[place],
                    ("signal", "low"): lows[place],
                },
                past=partial(_past, self._rows, tuple(reversed(places[:TREND_RUNS]))),
            )
            for place, places, told in zip(newest, groups, self._wide(newest, _WIDE), strict=True)
        ]

    def history(self, target: tuple[str, str]) -> list[Row]:
        """Return the validations of one environment, the newest first."""
        mine = np.array(self._rows["target"].to_pylist(), dtype=object) == key_of(target)
        places = np.flatnonzero(mine)
        began = self._rows["began"].to_numpy()
        places = places[np.argsort(-began[places], kind="stable")]
        return self._at([int(place) for place in places])

    def row(self, run_id: str) -> Row | None:
        """Return one run, None where it is not known."""
        runs = self._runs()
        return self._at([runs.index(run_id)])[0] if run_id in runs else None

    def _at(self, places: Sequence[int]) -> list[Row]:
        return [
            Row(run_id=told["run_id"], standing=unpacked(json.loads(told["standing"])))
            for told in self._wide(places, ["run_id", "standing"])
        ]

    def _runs(self) -> list[str]:
        if self._ids is None:
            tables = (pq.ParquetFile(file).read(columns=["run_id"]) for file in self._files)
            self._ids = [run for table in tables for run in table["run_id"].to_pylist()]
        return self._ids

    def _wide(self, places: Sequence[int], columns: list[str]) -> list[dict[str, Any]]:
        """Return some columns at some places, opening each row group once."""
        found: dict[int, dict[str, Any]] = {}
        wanted = sorted(places, key=lambda place: tuple(self._place[place]))
        for number, mine in groupby(wanted, key=lambda place: int(self._place[place, 0])):
            file = pq.ParquetFile(self._files[number])
            held: tuple[int, list[dict[str, Any]]] = (-1, [])
            for place in mine:
                group, offset = divmod(int(self._place[place, 1]), GROUP_ROWS)
                if held[0] != group:
                    held = (group, file.read_row_group(group, columns=columns).to_pylist())
                found[place] = held[1][offset]
        return [found[place] for place in places]

    def _load(self) -> None:
        tables = [pq.ParquetFile(file).read(columns=_NARROW) for file in self._files]
        self._rows = pa.concat_tables([_empty(), *tables]).combine_chunks()
        self._ids = None
        places = [_places(number, table.num_rows) for number, table in enumerate(tables)]
        self._place = np.concatenate([np.empty((0, 2), dtype=np.int64), *places])

    def _write(self, table: pa.Table) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{uuid.uuid4().hex}.parquet"
        part = file.with_suffix(".part")
        pq.write_table(table, part, compression="zstd", row_group_size=GROUP_ROWS)
        part.replace(file)
        return file

    def _note(self) -> None:
        """Say which files count; until this is done the earlier ones do."""
        self._folder.mkdir(parents=True, exist_ok=True)
        told = {"format": FORMAT, "files": [file.name for file in self._files]}
        part = self._folder / f"state-{os.getpid()}.part"
        part.write_text(json.dumps(told | asdict(self.state)), "utf-8")
        part.replace(self._folder / "state.json")


def _places(file: int, rows: int) -> "np.ndarray[Any, Any]":
    return np.column_stack([np.full(rows, file), np.arange(rows)])


def key_of(target: tuple[str, str]) -> str:
    """Return what stands for an environment in the index."""
    return sha256(json.dumps(target).encode()).hexdigest()[:24]


def indexed(
    run_id: str,
    began: int,
    ended: int,
    tags: Mapping[str, str],
    metrics: Mapping[str, float],
) -> Indexed | None:
    """Return a run of MLflow as the index takes it, None where it was not logged by us."""
    found = standing_of(tags, {}, metrics)
    if found is None:
        return None
    return Indexed(began=began, ended=ended, row=Row(run_id=run_id, standing=found))


def _by_target(rows: pa.Table) -> Iterator[list[int]]:
    """Yield the places of each environment's runs, the newest first."""
    if not rows.num_rows:
        return
    names: dict[str, int] = {}
    codes = np.array([names.setdefault(name, len(names)) for name in rows["target"].to_pylist()])
    began = np.array(rows["began"].to_pylist())  # `to_numpy` would load pandas
    order = np.lexsort((-began, codes))
    cuts = np.flatnonzero(np.diff(codes[order])) + 1
    yield from (part.tolist() for part in np.split(order, cuts))


def _past(rows: pa.Table, places: Sequence[int]) -> tuple[Past, ...]:
    return tuple(
        Past(**{name: rows[name][place].as_py() for name in Past.__slots__}) for place in places
    )


def _table(found: Iterable[Indexed]) -> pa.Table:
    rows = []
    for one in found:
        standing = one.row.standing
        signal, value = standing.headline.get("signal"), standing.headline.get(VALUE)
        words = " ".join(
            (standing.name, standing.url, standing.reason, standing.advice, *standing.tags)
        )
        rows.append(
            {
                "run_id": one.row.run_id,
                "target": key_of(standing.target),
                "began": one.began,
                "ended": one.ended,
                "verdict": standing.verdict,
                "signal": None if signal is None else signal.estimate,
                "low": None if signal is None else signal.low,
                "high": None if signal is None else signal.high,
                "value": None if value is None else value.estimate,
                "value_low": None if value is None else value.low,
                "name": standing.name,
                "url": standing.url,
                "advice": standing.advice,
                "tags": list(standing.tags),
                "words": words.casefold(),
                "standing": packed(standing),
            }
        )
    return pa.Table.from_pylist(rows, schema=_SCHEMA)


def _empty() -> pa.Table:
    schema = pa.schema([_SCHEMA.field(name) for name in _NARROW])
    return pa.Table.from_batches([], schema=schema)  # `empty_table` would load pandas
