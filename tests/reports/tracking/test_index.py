"""The local index says what the store says, costs little to keep, and may be thrown away."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reports.model import Report
from reports.standing import standing
from reports.tracking import catchup
from reports.tracking.catchup import Catchup, folder_of
from reports.tracking.entry import Indexed
from reports.tracking.index import MOST_SEGMENTS, Index, State
from reports.tracking.log import Logged, log_report
from reports.tracking.read import Row, runs
from reports.tracking.store import StoreError, client, file_store
from tests.reports.builders import everything, hostile, pays_for_nothing, worth_training

ROOT = Path(__file__).resolve().parents[3]


def logged(report: Report, store: str) -> str:
    answer = log_report(report, tracking_uri=store)
    assert isinstance(answer, Logged), answer
    return answer.run_id


def one(number: int, report: Report | None = None, began: int | None = None) -> Indexed:
    row = Row(run_id=f"{number:032d}", standing=standing(report or worth_training()))
    when = number if began is None else began
    return Indexed(began=when, ended=when, row=row)


def test_every_row_comes_back_whole(tmp_path: Path) -> None:
    index = Index.open(tmp_path / "index")
    found = [one(number, report) for number, report in enumerate(everything())]
    assert index.add(found, State(experiment="1", read_until=3)) == 4
    again = Index.open(tmp_path / "index")
    assert again.state == State(experiment="1", read_until=3)
    assert {entry.run_id: entry.row for entry in again.entries()} == {
        each.row.run_id: each.row for each in found
    }
    assert again.row(found[2].row.run_id) == found[2].row
    assert again.row("none") is None


def test_the_newest_of_an_environment_stands_for_it_and_the_others_are_its_trend(
    tmp_path: Path,
) -> None:
    index = Index.open(tmp_path)
    index.add([one(3), one(1, pays_for_nothing())], State())
    index.add([one(2), one(7), one(5), one(3)], State())
    assert len(index) == 5, "a run is known once"
    entries = {entry.facts["name"]: entry for entry in index.entries()}
    assert entries["maze"].run_id == one(7).row.run_id
    assert [past.began for past in entries["maze"].trend] == [2, 3, 5, 7]
    assert [past.signal for past in entries["maze"].trend] == [0.62] * 4
    assert [row.run_id for row in index.history(one(0).row.standing.target)] == [
        one(number).row.run_id for number in (7, 5, 3, 2)
    ]


def test_many_segments_become_two_and_say_the_same(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    for number in range(MOST_SEGMENTS + 3):
        report = worth_training() if number % 2 else hostile()
        index.add([one(number, report)], State(read_until=number))
    before = {entry.run_id: entry for entry in index.entries()}
    index.tidy()
    assert len(list(tmp_path.glob("*.parquet"))) == 2
    assert {entry.run_id: entry for entry in index.entries()} == before
    trends = {entry.run_id: entry.trend for entry in index.entries()}
    assert trends == {run: entry.trend for run, entry in before.items()}
    assert {entry.run_id: entry for entry in Index.open(tmp_path).entries()} == before


def test_the_ranking_is_there_without_pandas(tmp_path: Path) -> None:
    """Its import takes longer than all the rest of what a cold start reads."""
    Index.open(tmp_path).add([one(1), one(2, pays_for_nothing())], State())
    program = (
        "import sys, pathlib\n"
        "from reports.tracking.index import Index\n"
        f"entries = Index.open(pathlib.Path({str(tmp_path)!r})).entries()\n"
        "assert len([entry.trend for entry in entries]) == 2\n"
        "sys.exit(any(name in sys.modules for name in ('pandas', 'mlflow')))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == 0


def test_what_is_gone_is_left_out(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.add([one(1), one(2)], State())
    index.tidy([one(2).row.run_id, "unknown"])
    assert [entry.run_id for entry in index.entries()] == [one(1).row.run_id]
    index.tidy([one(1).row.run_id])
    assert index.entries() == []


@pytest.mark.parametrize("harm", ["{", "[]", '{"format": 0}', '{"format": 1, "files": ["x"]}'])
def test_a_damaged_index_is_an_empty_one(tmp_path: Path, harm: str) -> None:
    Index.open(tmp_path).add([one(1)], State(experiment="1", read_until=9))
    (tmp_path / "state.json").write_text(harm, "utf-8")
    index = Index.open(tmp_path)
    assert (len(index), index.state) == (0, State())


def test_the_index_follows_the_store(store: str) -> None:
    first = logged(worth_training(), store)
    keeper = Catchup(store)
    assert [entry.run_id for entry in keeper.ranking().entries] == [first]
    version = keeper.version
    keeper.wait()
    assert keeper.version == version, "nothing is new"
    second = logged(pays_for_nothing(), store)
    keeper.wait()
    found = keeper.ranking(fresh=60)
    assert [entry.run_id for entry in found.entries] == [first, second], "best first"
    assert found.version != version
    assert {row.run_id: row for row in runs(store)} == {
        entry.run_id: entry.row for entry in found.entries
    }
    with client(store) as mlflow:
        mlflow.delete_run(first)
    keeper.wait()
    assert [entry.run_id for entry in keeper.ranking(fresh=60).entries] == [second]


def test_only_what_is_new_is_read(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    original = catchup._pages

    def counted(uri: str, experiment: str, after: int) -> "object":
        for page in original(uri, experiment, after):
            asked.append(len(page))
            yield page

    monkeypatch.setattr(catchup, "_pages", counted)
    monkeypatch.setattr(catchup, "OVERLAP_MS", 0)
    logged(worth_training(), store)
    Catchup(store).wait()
    logged(pays_for_nothing(), store)
    again = Catchup(store)
    again.wait()
    assert asked == [1, 1]
    assert len(again.ranking(fresh=60).entries) == 2


def test_a_store_that_does_not_answer_leaves_what_is_known(store: str) -> None:
    kept = logged(worth_training(), store)
    Catchup(store).wait()
    gone = Catchup("http://127.0.0.1:9", folder=folder_of(store))
    gone.wait()
    found = gone.ranking(fresh=60)
    assert [entry.run_id for entry in found.entries] == [kept]
    assert "127.0.0.1:9: nothing listens there" in found.fault


def test_where_nothing_is_known_the_fault_is_told(tmp_path: Path) -> None:
    keeper = Catchup("http://eve:secret@127.0.0.1:9", folder=tmp_path / "index")
    found = keeper.ranking()
    assert (found.entries, found.reading) == ((), False)
    assert "nothing listens there" in found.fault
    assert "secret" not in found.fault
    with pytest.raises(StoreError, match="nothing listens there"):
        keeper.row("0" * 32)


def test_another_store_in_the_same_place_starts_anew(store: str, tmp_path: Path) -> None:
    logged(worth_training(), store)
    Catchup(store).wait()
    with client(store) as mlflow:
        experiment = mlflow.get_experiment_by_name("envassay").experiment_id
        mlflow.rename_experiment(experiment, "old")
    mine = logged(pays_for_nothing(), store)
    found = Catchup(store)
    found.wait()
    assert [entry.run_id for entry in found.ranking(fresh=60).entries] == [mine]
    found.again()
    found.wait()
    assert [entry.run_id for entry in found.ranking(fresh=60).entries] == [mine]


def test_a_store_that_is_not_there_leaves_no_trace(tmp_path: Path) -> None:
    keeper = Catchup(file_store(tmp_path / "nowhere"))
    assert keeper.ranking().entries == ()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(store: str, tmp_path: Path) -> None:
    mine = logged(worth_training(), store)
    place = tmp_path / "file"
    place.write_text("no folder")
    keeper = Catchup(store, folder=place / "index")
    keeper.wait()
    assert [entry.run_id for entry in keeper.ranking(fresh=60).entries] == [mine]
    assert threading.active_count() < 10
