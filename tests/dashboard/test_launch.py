"""A run is started as a child process, and only of what makes sense."""

import sys
from pathlib import Path

import pytest

from dashboard import launch
from dashboard.launch import Asked, Launched, command, fault_of
from dashboard.serve import RUNS

PATIENCE_SECONDS = 60


def asked(url: str = "http://127.0.0.1:9", budget: str = "quick") -> Asked:
    return Asked(url=url, budget=budget, group_size=8, seed=0)


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8000", "file:///etc/passwd", "http://a b", "http://a\n--home", "--help"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    assert "An address begins with" in fault_of(asked(url))
    with pytest.raises(ValueError, match="An address begins with"):
        launch.launch(asked(url), "sqlite:///x.db")


def test_an_address_is_never_taken_for_a_flag(tmp_path: Path) -> None:
    told = command(asked("http://x/--home=/"), tmp_path / "events")
    assert told[-2:] == ["--", "http://x/--home=/"]
    assert told[0] == sys.executable
    assert "A budget is one of" in fault_of(asked(budget="--seed=1"))
    strange = Asked(url="http://x", budget="quick", group_size=8, seed=0, probes="/etc/passwd")
    assert "Probes are one of" in fault_of(strange)


def test_runs_are_started_only_where_that_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(RUNS, raising=False)
    assert not launch.allowed()
    monkeypatch.setenv(RUNS, "1")
    assert launch.allowed()


def test_a_run_that_reaches_nothing_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = launch.launch(asked(), f"sqlite:///{tmp_path / 'mlflow.db'}")
    assert run.process.wait(PATIENCE_SECONDS) == 2
    assert run.exit_code == 2
    assert "127.0.0.1:9" in run.output()
    assert run.progress().finished == 0
    run.said.close()


def test_progress_is_read_line_by_line_and_torn_lines_wait(tmp_path: Path) -> None:
    events = tmp_path / "events"
    events.write_text(
        '{"event": "reached", "name": "maze"}\n{"event": "planned", "planned": 10, "kept": 2}\n'
        '{"event": "episode", "outcome": "scored"}\n{"event": "episode", "outcome": "absent"}\n'
        "no json\n[]\n"
        '{"event": "sessions", "open": 4}\n{"event": "stopped", "why": "time"}\n'
        '{"event": "episode", "outcome": "sco'
    )
    with (tmp_path / "said").open("w+b") as said:
        run = Launched(
            asked=asked(),
            process=None,
            events=events,
            said=said,
            began=0.0,  # type: ignore[arg-type]
        )
    found = run.progress()
    assert (found.name, found.planned, found.finished) == ("maze", 10, 4)
    assert found.outcomes == {"kept": 2, "scored": 1, "absent": 1}
    assert (found.sessions, found.stopped, found.resting) == (4, "time", True)
    with events.open("a") as file:
        file.write('red"}\n{"event": "planned", "planned": 5, "kept": 0}\n')
    again = run.progress()
    assert (again.planned, again.finished, again.resting) == (15, 5, False)
