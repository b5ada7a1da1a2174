"""Rows and reports come back from a real store, whatever else is in it."""

from pathlib import Path

import pytest

from reports.model import Report
from reports.standing import standing
from reports.tracking.log import Logged, log_report
from reports.tracking.read import history, latest, load_report, ranking_table, runs
from reports.tracking.store import ReportMissing, StoreError, client, file_store
from tests.reports.builders import (
    everything,
    pays_for_nothing,
    times,
    worth_training,
)


def logged(report: Report, store: str) -> str:
    answer = log_report(report, tracking_uri=store)
    assert isinstance(answer, Logged), answer
    return answer.run_id


def report_file(store: str, run_id: str) -> Path:
    folder = Path(store.removeprefix("sqlite:///")).parent
    return folder / "artifacts" / run_id / "artifacts" / "report.json"


def test_the_table_is_ranked(store: str) -> None:
    for report in everything():
        logged(report, store)
    rows = ranking_table(store)
    ports = [row.standing.url.rpartition(":")[2] for row in rows]
    assert ports == ["8001", "8003", "8002", "8004"]
    assert rows[0].standing == standing(worth_training())


def test_the_newest_validation_of_an_environment_counts(store: str) -> None:
    old = pays_for_nothing().model_copy(update={"times": times("2026-01-01T00:00:00+00:00")})
    new_target = pays_for_nothing().target.model_copy(update={"fingerprint": "sha256:new"})
    new = pays_for_nothing().model_copy(update={"target": new_target})
    ids = [logged(new, store), logged(old, store)]
    found = runs(store)
    assert [row.run_id for row in found] == ids
    (row,) = latest(found)
    assert row.standing.fingerprint == "sha256:new"
    assert [row.run_id for row in history(found, row.standing.target)] == ids


def test_a_report_comes_back_equal(store: str) -> None:
    for report in everything():
        assert load_report(store, logged(report, store)) == report


def test_runs_that_are_not_ours_or_not_whole_are_left_out(store: str) -> None:
    mine = logged(worth_training(), store)
    broken = logged(pays_for_nothing(), store)
    with client(store) as mlflow:
        mlflow.set_terminated(broken, "FAILED")
        experiment = mlflow.get_run(mine).info.experiment_id
        mlflow.set_terminated(mlflow.create_run(experiment).info.run_id)
        other = mlflow.create_experiment("resnet")
        mlflow.set_terminated(mlflow.create_run(other).info.run_id)
    assert [row.run_id for row in runs(store)] == [mine]


def test_a_store_that_is_not_there_is_empty_and_is_not_made(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'none' / 'mlflow.db'}"
    assert runs(uri) == []
    with pytest.raises(ReportMissing, match="there is no store"):
        load_report(uri, "0" * 32)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("run_id", ["0" * 32, "../../etc/passwd", "", "'; drop table runs; --"])
def test_a_run_that_is_not_there(store: str, run_id: str) -> None:
    with pytest.raises(ReportMissing, match="there is no run .* in this store"):
        load_report(store, run_id)


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"report_version": "2"}', "[]", "\x00\x01", '{"tool": {"name": "other"}}'],
)
def test_a_corrupt_report_is_missing_and_nothing_else(store: str, text: str) -> None:
    run_id = logged(worth_training(), store)
    report_file(store, run_id).write_text(text, "utf-8")
    with pytest.raises(ReportMissing, match="is damaged, or of another version"):
        load_report(store, run_id)


def test_a_report_that_is_no_text_is_missing(store: str) -> None:
    run_id = logged(worth_training(), store)
    report_file(store, run_id).write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ReportMissing, match="is damaged"):
        load_report(store, run_id)


def test_a_report_that_is_gone_is_missing(store: str) -> None:
    run_id = logged(worth_training(), store)
    report_file(store, run_id).unlink()
    with pytest.raises(ReportMissing, match=r"no report\.json"):
        load_report(store, run_id)


def test_a_folder_that_was_moved_keeps_its_reports(store: str, tmp_path: Path) -> None:
    run_id = logged(worth_training(), store)
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("mlflow.db", "artifacts"):
        (tmp_path / name).rename(moved / name)
    assert load_report(file_store(moved), run_id) == worth_training()


@pytest.mark.parametrize("uri", ["http://127.0.0.1:9", "gopher://old/hole", ""])
def test_a_store_that_cannot_be_read_says_so(uri: str) -> None:
    with pytest.raises(StoreError) as fault:
        runs(uri)
    assert "\n" not in str(fault.value)
