"""The ranking to take away has every number with its interval and n, and no formula."""

import csv
import io
from pathlib import Path

import pyarrow.parquet as pq

from reports.model import Report
from reports.standing import standing
from reports.tracking.entry import Entry, Indexed
from reports.tracking.export import csv_ranking, parquet_ranking
from reports.tracking.index import Index, State
from reports.tracking.read import Row
from tests.reports.builders import everything, share, worth_training


def tagged() -> Report:
    """Return the first report with a training value and tags."""
    report = worth_training()
    value = {"training_value": share(0.4, 0.3, 0.5)}
    manifest = {"validation": {"types": {"tags": ["grid", "text"]}}}
    return report.model_copy(update={"headline": value | report.headline, "manifest": manifest})


def entries(tmp_path: Path) -> list[tuple[int, Entry]]:
    index = Index(tmp_path)
    reports = [*everything(), tagged()]
    evil = worth_training().target.model_copy(update={"name": "=cmd|' /C calc'!A0", "url": "x"})
    reports.append(worth_training().model_copy(update={"target": evil}))
    index.add(
        (
            Indexed(began=n, ended=n, row=Row(run_id=f"r{n}", standing=standing(report)))
            for n, report in enumerate(reports)
        ),
        State(),
    )
    found = sorted(index.entries(), key=lambda one: one.run_id)
    return list(enumerate(found, start=1))


def test_numbers_come_with_intervals_and_what_is_unknown_is_empty(tmp_path: Path) -> None:
    found = entries(tmp_path)
    table = pq.read_table(io.BytesIO(parquet_ranking(found))).to_pylist()
    rows = list(csv.DictReader(io.StringIO(csv_ranking(found))))
    assert [row["run_id"] for row in table] == [row["run_id"] for row in rows]
    maze = next(row for row in table if row["name"] == "maze")
    assert (maze["signal"], maze["signal_low"], maze["signal_high"], maze["signal_n"]) == (
        0.62, 0.48, 0.74, 40,
    )  # fmt: skip
    assert (maze["training_value"], maze["tags"]) == (0.4, "grid, text")
    shop = next(row for row in table if row["name"] == "shop")
    assert (shop["signal"], shop["signal_low"]) == (None, None)
    assert next(row for row in rows if row["name"] == "shop")["signal"] == ""


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(csv_ranking(entries(tmp_path)))))
    words = [cell for row in rows for cell in row if not cell.replace(".", "").isdigit()]
    assert not [cell for cell in words if cell.startswith(("=", "@", "\t"))]
    assert "'=cmd|' /C calc'!A0" in words
