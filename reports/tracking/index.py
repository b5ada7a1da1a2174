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
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from reports.model import Measure
from reports.standing import Standing, Step
from reports.tracking.names import standing_of
from reports.tracking.read import Row

FORMAT = 1
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
        ("standing", pa.string()),
    ]
)
_NARROW = [name for name in _SCHEMA.names if name != "standing"]
"""Columns that are held in memory for all runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """One run, ready to be put into the index."""

    began: int
    """Start of the validation, milliseconds since the epoch."""
    ended: int
    """When it was logged, the same."""
    row: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """One validation as a point of a trend."""

    began: int
    verdict: str
    signal: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The newest validation of one environment, as it is searched and sorted."""

    run_id: str
    facts: Mapping[str, Any]
    """The standing, still packed."""
    words: str
    """What a search looks at, without regard to case."""
    trend: tuple[Past, ...]
    """Its last validations, the oldest first, this one included."""

    @property
    def row(self) -> Row:
        """Return it whole."""
        return Row(run_id=self.run_id, standing=_unpacked(self.facts))

    def number(self, name: str, end: str = "estimate") -> float | None:
        """Return a number of the headline or one end of its interval, None where unknown."""
        found = self.facts["headline"].get(name, {}).get(end)
        return found if isinstance(found, int | float) else None


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
        self._known: set[str] = set()
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
        if len(self._known) != len(self):
            self._known = set(self._rows["run_id"].to_pylist())
        new = {one.row.run_id: one for one in found if one.row.run_id not in self._known}
        if new:
            table = _table(new.values())
            self._files = [*self._files, self._write(table)]
            self._rows = pa.concat_tables([self._rows, table.select(_NARROW)])
            self._place = np.concatenate([self._place, _places(len(self._files) - 1, len(new))])
            self._known |= new.keys()
        if new or state != self.state:
            self.state = state
            self._note()
        return len(new)

    def tidy(self, gone: Iterable[str] = ()) -> None:
        """Leave out runs that are gone; write all as two segments where there are many."""
        left_out = set(gone) & set(self._rows["run_id"].to_pylist())
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
        packed = self._standings([places[0] for places in groups])
        columns = {name: self._rows[name].to_pylist() for name in Past.__slots__}
        runs = self._rows["run_id"]
        found = []
        for places, text in zip(groups, packed, strict=True):
            facts = json.loads(text)
            trend = tuple(
                Past(**{name: values[place] for name, values in columns.items()})
                for place in reversed(places[:TREND_RUNS])
            )
            words = " ".join(str(facts[name]) for name in ("name", "url", "reason", "advice"))
            found.append(
                Entry(
                    run_id=runs[places[0]].as_py(), facts=facts, words=words.casefold(), trend=trend
                )
            )
        return found

    def history(self, target: tuple[str, str]) -> list[Row]:
        """Return the validations of one environment, the newest first."""
        mine = np.array(self._rows["target"].to_pylist(), dtype=object) == key_of(target)
        places = np.flatnonzero(mine)
        began = self._rows["began"].to_numpy()
        places = places[np.argsort(-began[places], kind="stable")]
        return self._at([int(place) for place in places])

    def row(self, run_id: str) -> Row | None:
        """Return one run, None where it is not known."""
        runs = self._rows["run_id"].to_pylist()
        return self._at([runs.index(run_id)])[0] if run_id in runs else None

    def _at(self, places: Sequence[int]) -> list[Row]:
        runs = self._rows["run_id"]
        return [
            Row(run_id=runs[place].as_py(), standing=_unpacked(json.loads(text)))
            for place, text in zip(places, self._standings(places), strict=True)
        ]

    def _standings(self, places: Sequence[int]) -> list[str]:
        """Return the packed standings of some places, opening each row group once."""
        found: dict[int, str] = {}
        wanted = sorted(places, key=lambda place: tuple(self._place[place]))
        for number, mine in groupby(wanted, key=lambda place: int(self._place[place, 0])):
            file = pq.ParquetFile(self._files[number])
            held: tuple[int, list[str]] = (-1, [])
            for place in mine:
                group, offset = divmod(int(self._place[place, 1]), GROUP_ROWS)
                if held[0] != group:
                    column = file.read_row_group(group, columns=["standing"])["standing"]
                    held = (group, column.to_pylist())
                found[place] = held[1][offset]
        return [found[place] for place in places]

    def _load(self) -> None:
        tables = [pq.ParquetFile(file).read(columns=_NARROW) for file in self._files]
        self._rows = pa.concat_tables([_empty(), *tables]).combine_chunks()
        self._known = set()
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
    targets = rows["target"].combine_chunks().dictionary_encode()
    codes = targets.indices.to_numpy()
    order = np.lexsort((-rows["began"].to_numpy(), codes))
    cuts = np.flatnonzero(np.diff(codes[order])) + 1
    yield from (part.tolist() for part in np.split(order, cuts))


def _table(found: Iterable[Indexed]) -> pa.Table:
    rows = []
    for one in found:
        standing = one.row.standing
        signal = standing.headline.get("signal")
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
                "standing": _packed(standing),
            }
        )
    return pa.Table.from_pylist(rows, schema=_SCHEMA)


def _packed(found: Standing) -> str:
    facts = {name: getattr(found, name) for name in found.__dataclass_fields__}
    facts["headline"] = {
        name: measure.model_dump(mode="json", exclude_defaults=True)
        for name, measure in found.headline.items()
    }
    facts["ladder"] = [
        [step.rung, step.probe, step.score.model_dump(mode="json", exclude_defaults=True)]
        for step in found.ladder
    ]
    return json.dumps(facts)


def _unpacked(facts: Mapping[str, Any]) -> Standing:
    headline = {}
    for name, told in facts["headline"].items():
        try:
            headline[name] = Measure.model_validate(told)
        except ValidationError:  # edited by hand: the number is not there
            continue
    ladder = tuple(
        Step(rung=rung, probe=probe, score=Measure.model_validate(score))
        for rung, probe, score in facts["ladder"]
    )
    known = {name: facts[name] for name in Standing.__dataclass_fields__ if name in facts}
    return Standing(**{**known, "headline": headline, "ladder": ladder})


def _empty() -> pa.Table:
    return pa.schema([_SCHEMA.field(name) for name in _NARROW]).empty_table()
