"""How fast the ranking of thousands of environments is, and what the index costs.

    python benchmarks/ranking_store.py --environments 5000 --runs 20 --folder large

Makes a SQLite store of MLflow with that many runs, once: MLflow makes the database and logs one
report of each kind through the tracking writer; the rows of these runs are then copied in bulk, by
SQL, under new ids, names and times, with other signals. Tables that a search does not read (the
history of metrics) are not copied, and the copies have no artifacts.

Then the real dashboard is served and looked at with a headless Chromium. `cold` is a new server
process that has an index on disk, and a new browser without anything in its cache, from the request
to the first row to be seen; `start` is from the command to the answer to the request for its
health, before that. `warm` is a click on another verdict, to the changed table. Memory is the
resident set of the server process. One start before all that is not counted: Python compiles then.
"""

import argparse
import os
import shutil
import sqlite3
import statistics
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dashboard.serve import served
from reports.model import Measure
from reports.tracking.catchup import Catchup, folder_of
from reports.tracking.index import Index, State, indexed
from reports.tracking.log import Logged, log_report
from reports.tracking.store import file_store
from tests.reports.builders import left_open, pays_for_nothing, worth_training

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "chromium"
)
BATCH = 2_000
MOST_COLD_SECONDS, MOST_WARM_SECONDS, MOST_BYTES = 2.0, 0.5, 2**30
RUN_TABLES = ("tags", "params", "latest_metrics")


def main() -> int:
    """Make the store where there is none, measure, print a table; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environments", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--folder", type=Path, default=Path(".envassay") / "large")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument(
        "--index",
        choices=("mlflow", "sql", "kept"),
        default="mlflow",
        help="how the index comes to be: through MLflow, as always; or, sooner, by SQL",
    )
    told = parser.parse_args()
    uri = file_store(told.folder)
    if not (told.folder / "mlflow.db").exists():
        began = time.perf_counter()
        make(told.folder, told.environments, told.runs)
        print(f"store made in {time.perf_counter() - began:.0f} s")
    _index(told, uri)
    cold, warm, starts, memory = look(uri, told.times)
    missed = 0
    for name, value, most, unit in (
        ("cold", statistics.median(cold), MOST_COLD_SECONDS, "s"),
        ("warm", statistics.median(warm), MOST_WARM_SECONDS, "s"),
        ("memory", memory / 2**20, MOST_BYTES / 2**20, "MiB"),
    ):
        missed += value > most
        print(
            f"{name:8}{value:8.2f} {unit:4} (at most {most:g}): {'no' if value > most else 'yes'}"
        )
    for name, values in (("cold", cold), ("warm", warm), ("start", starts)):
        print(f"{name}:", " ".join(f"{value:.2f}" for value in values))
    return int(missed > 0)


def _index(told: argparse.Namespace, uri: str) -> None:
    """Make the index as told, and say what it took."""
    if told.index == "mlflow":
        shutil.rmtree(folder_of(uri), ignore_errors=True)
        began = time.perf_counter()
        keeper = Catchup(uri)
        found = keeper.ranking()
        first = time.perf_counter() - began
        keeper.wait()
        whole = time.perf_counter() - began
        count = told.environments * told.runs
        print(f"index: first {len(found.entries)} environments after {first:.1f} s, ", end="")
        print(f"all {count:,} runs after {whole:.0f} s ({1000 * whole / count:.2f} ms a run)")
    elif told.index == "sql":
        shutil.rmtree(folder_of(uri), ignore_errors=True)
        began = time.perf_counter()
        count = index_by_sql(told.folder)
        print(f"index of {count:,} runs filled by SQL in {time.perf_counter() - began:.0f} s")
    keeper = Catchup(uri)
    keeper.wait()
    began = time.perf_counter()
    keeper.wait()
    nothing_new = time.perf_counter() - began
    size = sum(file.stat().st_size for file in folder_of(uri).iterdir())
    print(f"index: {size / 2**20:.0f} MiB; asked again, nothing new: {1000 * nothing_new:.0f} ms")


def make(folder: Path, environments: int, runs: int) -> None:
    """Fill a store with copies of three reports."""
    folder.mkdir(parents=True, exist_ok=True)
    models = []
    for report in (worth_training(), pays_for_nothing(), left_open()):
        answer = log_report(report, tracking_uri=file_store(folder))
        if not isinstance(answer, Logged):
            raise SystemExit(answer.reason)
        models.append(answer.run_id)
    with closing(sqlite3.connect(folder / "mlflow.db")) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        rows = {
            run: {table: _rows(database, table, run) for table in ("runs", *RUN_TABLES)}
            for run in models
        }
        waiting: dict[str, list[tuple[object, ...]]] = {
            table: [] for table in ("runs", *RUN_TABLES)
        }
        for number, copy in enumerate(_copies(rows, models, environments, runs), start=1):
            for table, found in copy.items():
                waiting[table] += found
            if number % BATCH == 0:
                _insert(database, waiting)
        _insert(database, waiting)
        for run in models:
            database.execute(
                "UPDATE runs SET lifecycle_stage = 'deleted' WHERE run_uuid = ?", (run,)
            )


def index_by_sql(folder: Path) -> int:
    """Fill the index from the same rows that MLflow would read, some thousand runs at a time."""
    index = Index.open(folder_of(file_store(folder)))
    with closing(sqlite3.connect(folder / "mlflow.db")) as database:
        (experiment,) = database.execute(
            "SELECT experiment_id FROM experiments WHERE name = 'envassay'"
        ).fetchone()
        runs = database.execute(
            "SELECT run_uuid, start_time, end_time FROM runs ORDER BY end_time"
        ).fetchall()
        for start in range(0, len(runs), BATCH):
            part = runs[start : start + BATCH]
            told = {table: _by_run(database, table, part) for table in ("tags", "latest_metrics")}
            found = (
                indexed(run, began, ended, told["tags"][run], told["latest_metrics"][run])
                for run, began, ended in part
            )
            state = State(experiment=str(experiment), read_until=part[-1][2])
            index.add((one for one in found if one is not None), state)
    index.tidy()
    return len(runs)


def _by_run(
    database: sqlite3.Connection, table: str, runs: list[tuple[str, int, int]]
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {run: {} for run, _, _ in runs}
    places = ", ".join("?" * len(runs))
    rows = database.execute(
        f"SELECT run_uuid, key, value FROM {table} WHERE run_uuid IN ({places})",
        [run for run, _, _ in runs],
    )
    for run, name, value in rows:
        found[run][name] = value
    return found


def look(uri: str, times: int) -> tuple[list[float], list[float], list[float], int]:
    """Return seconds to the first row of new servers, of clicks, of starts, and most bytes held."""
    cold, warm, starts, memory = [], [], [], 0
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder_of(uri).parent / "bytecode")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        _first_row(browser, uri)
        for _ in range(times):
            began = time.perf_counter()
            with served(uri, port=0) as dashboard:
                starts.append(time.perf_counter() - began)
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                began = time.perf_counter()
                page.goto(dashboard.url)
                page.locator(".ea-row").first.wait_for(timeout=60_000)
                cold.append(time.perf_counter() - began)
                page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
                page.wait_for_timeout(1_000)
                for verdict in ("fail", "warn", "pass"):
                    began = time.perf_counter()
                    shown = page.locator(".ea-row").first.inner_text()
                    page.get_by_role("button", name=verdict, exact=False).first.click()
                    page.wait_for_function(
                        "text => document.querySelector('.ea-row')?.innerText !== text"
                        " || document.body.innerText.includes('that match')",
                        arg=shown,
                        timeout=60_000,
                    )
                    warm.append(time.perf_counter() - began)
                    page.wait_for_timeout(500)
                memory = max(memory, _resident(dashboard.process.pid))
                page.close()
        browser.close()
    return cold, warm, starts, memory


def _first_row(browser: Browser, uri: str) -> None:
    with served(uri, port=0) as dashboard:
        page = browser.new_page()
        page.goto(dashboard.url)
        page.locator(".ea-row").first.wait_for(timeout=60_000)
        page.close()


def _rows(
    database: sqlite3.Connection, table: str, run: str
) -> tuple[list[str], list[tuple[object, ...]]]:
    found = database.execute(f"SELECT * FROM {table} WHERE run_uuid = ?", (run,))
    return [column[0] for column in found.description], found.fetchall()


def _copies(
    rows: dict[str, dict[str, tuple[list[str], list[tuple[object, ...]]]]],
    models: list[str],
    environments: int,
    runs: int,
) -> Iterator[dict[str, list[tuple[object, ...]]]]:
    for number in range(environments * runs):
        repeat, environment = divmod(number, environments)
        model = models[environment % len(models)]
        run_id = uuid.UUID(int=number + 1).hex
        began = 1_760_000_000_000 + number * 60_000
        signal = (environment * 7 + repeat * 3) % 100 / 100
        told = Measure(
            estimate=signal, low=max(0.0, signal - 0.1), high=min(1.0, signal + 0.1), n=40,
            of="tasks", method="Gaffke, over tasks",
        ).model_dump_json(exclude_defaults=True)  # fmt: skip
        changed = {
            "envassay.target.name": f"environment {environment}",
            "envassay.target.url": f"http://127.0.0.1:8000/{environment}",
            "envassay.headline.signal": told,
        }
        copy: dict[str, list[tuple[object, ...]]] = {}
        for table, (columns, found) in rows[model].items():
            copy[table] = [
                tuple(
                    _value(table, name, value, row, columns, run_id, began, changed)
                    for name, value in zip(columns, row, strict=True)
                )
                for row in found
            ]
        yield copy


def _value(  # noqa: PLR0913 - a cell and what it may become
    table: str,
    name: str,
    value: object,
    row: tuple[object, ...],
    columns: list[str],
    run_id: str,
    began: int,
    changed: dict[str, str],
) -> object:
    if name == "run_uuid":
        return run_id
    if table == "runs" and name == "start_time":
        return began
    if table == "runs" and name == "end_time":
        return began + 20_000
    if table == "tags" and name == "value":
        return changed.get(str(row[columns.index("key")]), value)
    return value


def _insert(database: sqlite3.Connection, waiting: dict[str, list[tuple[object, ...]]]) -> None:
    for table, rows in waiting.items():
        if rows:
            places = ", ".join("?" * len(rows[0]))
            database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
            rows.clear()


def _resident(pid: int) -> int:
    """Return the resident bytes of a process and its children."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(
                line.split(":", 1) for line in status.read_text().splitlines() if ":" in line
            )
        except OSError:
            continue
        if str(pid) in (told.get("Pid", "").strip(), told.get("PPid", "").strip()):
            total += int(told.get("VmRSS", "0 kB").split()[0]) * 1024
    return total


if __name__ == "__main__":
    sys.exit(main())
