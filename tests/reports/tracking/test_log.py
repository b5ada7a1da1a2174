"""A report goes into a real MLflow store as one run, or the answer says why it did not."""

import json
import socket
import threading
import time
from pathlib import Path

import pytest
from mlflow.entities import Run

from reports.model import dump, load
from reports.tracking import log
from reports.tracking.log import Logged, NotLogged, log_report
from reports.tracking.store import client
from tests.reports.builders import hostile, left_open, worth_training


def only_run(store: str) -> Run:
    with client(store) as mlflow:
        experiment = mlflow.get_experiment_by_name("envassay")
        assert experiment is not None
        (run,) = mlflow.search_runs([experiment.experiment_id])
    return run


def curve(store: str, run_id: str, name: str) -> list[tuple[int, float]]:
    with client(store) as mlflow:
        return [(point.step, point.value) for point in mlflow.get_metric_history(run_id, name)]


def test_one_run_holds_parameters_metrics_tags_and_files(store: str, tmp_path: Path) -> None:
    lines = tmp_path / "episodes.jsonl"
    lines.write_text('{"episode": 1}\n', "utf-8")
    episodes = tmp_path / "episodes"
    episodes.mkdir()
    (episodes / "one.parquet").write_bytes(b"PAR1")
    logged = log_report(worth_training(), tracking_uri=store, artifacts=[lines, episodes])
    assert isinstance(logged, Logged)
    assert (logged.where, logged.link) == (store, None)
    run = only_run(store)
    assert run.info.run_id == logged.run_id
    assert (run.info.status, run.info.run_name) == ("FINISHED", "maze")
    assert run.info.start_time == 1_772_366_400_000
    assert abs(run.info.end_time - time.time() * 1000) < 60_000, "the moment of logging"
    assert run.data.params["budget"] == "quick"
    assert run.data.params["probe.random"] == "blind, version 1, envassay"
    assert run.data.tags["envassay.verdict"] == "pass"
    assert run.data.tags["envassay.fingerprint"] == worth_training().target.fingerprint
    assert run.data.metrics["signal.low"] == 0.48
    assert run.data.metrics["cost/episodes"] == 240.0
    assert curve(store, logged.run_id, "ladder/mean_score") == [
        (0, 0.0), (1, 0.05), (2, 0.31), (3, 0.91),
    ]  # fmt: skip
    with client(store) as mlflow:
        files = {file.path for file in mlflow.list_artifacts(logged.run_id)}
    assert files == {"report.json", "episodes.jsonl", "episodes"}
    folder = tmp_path / "artifacts" / logged.run_id / "artifacts"
    assert (folder / "report.json").read_text("utf-8") == dump(worth_training())


def test_a_hostile_report_is_logged_whole(store: str, tmp_path: Path) -> None:
    logged = log_report(hostile(), tracking_uri=store)
    assert isinstance(logged, Logged)
    (file,) = tmp_path.glob("artifacts/*/artifacts/report.json")
    assert load(file.read_text("utf-8")) == hostile()
    assert "signal" not in only_run(store).data.metrics


def test_more_than_one_batch_is_logged_where_mlflow_asks_for_it(store: str) -> None:
    learned = [(step, step / 1000) for step in range(1000)]
    logged = log_report(left_open(), tracking_uri=store, learning={"q": learned})
    assert isinstance(logged, Logged)
    assert curve(store, logged.run_id, "learning/q") == learned


def test_a_file_that_is_gone_is_named_and_leaves_no_run(store: str, tmp_path: Path) -> None:
    answer = log_report(worth_training(), tracking_uri=store, artifacts=[tmp_path / "gone.jsonl"])
    assert isinstance(answer, NotLogged)
    assert "gone.jsonl" in answer.reason
    with client(store) as mlflow:
        assert mlflow.get_experiment_by_name("envassay") is None


def test_a_run_that_failed_midway_is_marked(store: str, tmp_path: Path) -> None:
    (tmp_path / "artifacts").write_text("a file where the folder should be", "utf-8")
    answer = log_report(worth_training(), tracking_uri=store)
    assert isinstance(answer, NotLogged)
    assert answer.reason.startswith(f"{store}: ")
    assert only_run(store).info.status == "FAILED"


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        uri = f"http://eve:secret@127.0.0.1:{taken.getsockname()[1]}"
        answer = log_report(worth_training(), tracking_uri=uri)
    assert answer == NotLogged(f"{uri.replace('eve:secret', '***')}: nothing listens there")


def test_a_server_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        uri = f"http://127.0.0.1:{silent.getsockname()[1]}"
        answer = log_report(worth_training(), tracking_uri=uri, patience=0.5)
    assert isinstance(answer, NotLogged)
    assert answer.reason.startswith(f"{uri}: no answer within")


@pytest.mark.parametrize(
    ("uri", "why"),
    [
        ("", "no tracking address was given"),
        ("gopher://old/hole", "gopher"),
        ("sqlite:////proc/nowhere/mlflow.db", "/proc/nowhere"),
        ("http://[::1", "an address that cannot be read"),
    ],
)
def test_an_address_that_cannot_be_is_one_clear_line(uri: str, why: str) -> None:
    answer = log_report(worth_training(), tracking_uri=uri)
    assert isinstance(answer, NotLogged)
    assert why in answer.reason
    assert "\n" not in answer.reason
    assert "Traceback" not in answer.reason


def test_a_file_that_is_no_database_is_kept_as_it_is(tmp_path: Path) -> None:
    notes = tmp_path / "mlflow.db"
    notes.write_text("my notes\n" * 200, "utf-8")
    answer = log_report(worth_training(), tracking_uri=f"sqlite:///{notes}")
    assert isinstance(answer, NotLogged)
    assert "not a database" in answer.reason
    assert notes.read_text("utf-8") == "my notes\n" * 200


def test_a_deleted_experiment_says_how_to_restore_it(store: str) -> None:
    assert isinstance(log_report(worth_training(), tracking_uri=store), Logged)
    with client(store) as mlflow:
        experiment = mlflow.get_experiment_by_name("envassay")
        assert experiment is not None
        mlflow.delete_experiment(experiment.experiment_id)
    answer = log_report(worth_training(), tracking_uri=store)
    assert isinstance(answer, NotLogged)
    assert f"mlflow experiments restore -x {experiment.experiment_id}" in answer.reason


def test_runs_at_the_same_time_share_a_store(store: str) -> None:
    answers: list[Logged | NotLogged] = []
    threads = [
        threading.Thread(target=lambda: answers.append(log_report(left_open(), tracking_uri=store)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer.run_id for answer in answers if isinstance(answer, Logged)}) == 4


def test_the_limits_of_a_batch_are_those_of_mlflow() -> None:
    assert log.MOST_METRICS + log.MOST_PARAMETERS + log.MOST_TAGS <= 1000
    document = json.loads(dump(worth_training()))
    assert document["headline"]["signal"]["n"] == 40
