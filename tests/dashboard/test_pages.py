"""Every page in every state, through Streamlit's own test runner."""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.serve import APP, RUNS
from reports import model
from reports.tracking.store import client, file_store
from tests.dashboard.conftest import Filled, log
from tests.reports.builders import HOSTILE, times
from tests.reports.monsters import monstrous

SECONDS = 60


def page(query: Mapping[str, str] | None = None) -> AppTest:
    """Run the page of an address; a page never raises."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    for name, value in (query or {}).items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert [fault.value for fault in app.exception] == []
    return app


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def bodies(app: AppTest) -> list[str]:
    """Return the HTML of the page, piece by piece, the style sheet left out."""
    return [part.value for part in app.html if not part.value.startswith("<style")]


def shown(app: AppTest) -> str:
    """Return what the page says, in order."""
    reader = _Text()
    for body in bodies(app):
        reader.feed(body)
        reader.words.append("\n")
    return " ".join(" ".join(reader.words).split())


@pytest.fixture
def environment(store_named: Callable[[str], None], filled: Filled) -> Callable[[str], AppTest]:
    """Open the page of one of the filled store's environments, by its port."""
    store_named(filled.uri)
    return lambda port: page({"page": "environment", "run": filled.runs[port]})


def test_the_ranking_is_ordered_with_reasons_and_advice(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    text = shown(page())
    places = [text.index(f"http://127.0.0.1:{port}") for port in (8001, 8003, 8002, 8004)]
    assert places == sorted(places)
    assert re.search(r"4 environments in \S+/mlflow.db", text)
    assert "0.62 [0.48, 0.74] n = 40 tasks" in text
    assert "Why semantic.floor_gap: doing nothing earns 0.94" in text
    assert "Next Fix the grader: Pay nothing for an empty answer. (1 more to fix)" in text


def test_the_filter_comes_from_the_address(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    app = page({"verdict": "fail,splendid", "text": "EMPTY answer"})
    text = shown(app)
    assert "http://127.0.0.1:8002" in text
    assert "http://127.0.0.1:8004" not in text
    assert "# environment verdict" in text
    assert " 3 quiz " in text, "the place is the one among all"


def test_the_filter_goes_into_the_address_and_can_be_undone(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    app = page()
    checked(app.text_input[0].set_value("maze").run())
    assert app.query_params["text"] == "maze"
    assert "8002" not in shown(app)
    checked(app.text_input[0].set_value("no such name").run())
    assert "No environment matches" in shown(app)
    checked(app.text_input[0].set_value("").run())
    assert "text" not in app.query_params
    assert "8002" in shown(app)


def test_a_tag_that_a_user_gave_in_mlflow_filters(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    app = page({"tag": "team=walking"})
    text = shown(app)
    assert [port for port in range(8001, 8005) if f"127.0.0.1:{port}" in text] == [8001, 8003]
    tags = next(box for box in app.selectbox if box.label == "Tag")
    assert (tags.value, len(tags.options)) == ("team=walking", 3)
    checked(tags.set_value("").run())
    assert "tag" not in app.query_params
    assert "127.0.0.1:8002" in shown(app)
    assert "No environment matches" in shown(page({"tag": "team=flying"}))


def test_an_empty_store_says_what_to_do(store_named: Callable[[str], None], tmp_path: Path) -> None:
    store_named(file_store(tmp_path / "nowhere"))
    text = shown(page())
    assert "Nothing has been validated yet" in text
    assert "envassay validate URL" in text
    assert str(tmp_path) in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("query", [{}, {"page": "environment", "run": "0" * 32}])
def test_a_store_that_does_not_answer_says_why(
    store_named: Callable[[str], None], query: dict[str, str]
) -> None:
    store_named("http://eve:secret@127.0.0.1:9")
    app = page(query)
    text = shown(app)
    assert "The tracking store cannot be read" in text
    assert "http://***@127.0.0.1:9: nothing listens there" in text
    assert "secret" not in text
    assert [button.label for button in app.button] == ["Try again"]


def test_runs_that_are_not_ours_are_not_shown(
    store_named: Callable[[str], None], copied: Filled
) -> None:
    with client(copied.uri) as mlflow:
        experiment = mlflow.get_run(copied.runs["8001"]).info.experiment_id
        strange = mlflow.create_run(experiment, run_name="resnet").info.run_id
        mlflow.set_terminated(strange)
    store_named(copied.uri)
    text = shown(page())
    assert "resnet" not in text
    assert "4 environments" in text
    assert "There is no such environment" in shown(page({"page": "environment", "run": strange}))


@pytest.mark.parametrize(
    "query",
    [
        {"page": "environment"},
        {"page": "environment", "run": "<script>alert(1)</script>"},
        {"page": "<b>nowhere</b>"},
    ],
)
def test_an_address_that_leads_nowhere_has_a_way_back(
    store_named: Callable[[str], None], filled: Filled, query: dict[str, str]
) -> None:
    store_named(filled.uri)
    app = page(query)
    assert "There is no such" in shown(app)
    assert 'href="."' in bodies(app)[-1]
    assert "<script" not in bodies(app)[-1]


def test_a_page_has_the_verdict_and_its_evidence(environment: Callable[[str], AppTest]) -> None:
    text = shown(environment("8002"))
    assert "✕ fail not worth training on as it is" in text
    assert "What to do next Fix the grader: Pay nothing for an empty answer." in text
    assert "✕ fails semantic.floor_gap doing nothing earns 0.94" in text
    assert "saw mean score 0.94 over 40 episodes of noop, 0.93 of random" in text
    assert "gap -0.01 [-0.09, 0.07], n = 40 episodes Wilson score" in text
    assert "✕ too few 1 served at once, number 2 refused" in text
    assert "reset, median 2.1 ms [1.9, 2.5] n = 240 resets" in text
    assert "240 episodes planned, 240 started." in text


def test_a_page_tells_null_error_and_zero_apart(environment: Callable[[str], AppTest]) -> None:
    text = shown(environment("8003"))
    assert "signal not measured no success is known" in text
    assert "↯ check broke semantic.verifier_determinism" in text
    assert "○ not decided runtime.seed_control" in text
    assert "? open question episode.start_variety" in text
    assert "○ absent 6 ended without any reward: not a zero ↯ error 4" in text
    assert "Stopped early: the time of the budget was used up." in text
    assert "Not played: greedy: the action schema names no options." in text
    assert "0.00" not in text, "nothing here was measured as zero"


def test_tasks_keep_what_was_not_scored_empty(environment: Callable[[str], AppTest]) -> None:
    table = environment("8001").dataframe[0].value
    row = table[(table["probe"] == "random") & (table["task"] == "- seed 3")].iloc[0]
    assert row["mean score"] != row["mean score"], "NaN is drawn as an empty cell"
    assert (row["n scored"], row["absent"]) == (0, 8)
    assert table[table["probe"] == "noop"]["mean score"].tolist() == [0.0] * 4


def test_the_history_links_earlier_runs_and_says_what_changed(
    environment: Callable[[str], AppTest], filled: Filled
) -> None:
    app = environment("8002")
    text = shown(app)
    assert "1 Mar 2026, 12:00 UTC (shown)" in text
    assert "Environment: another schema, tools or tasks" in text
    assert f"one={filled.runs['old']}&amp;other={filled.runs['8002']}" in bodies(app)[-1]
    assert f"run={filled.runs['old']}" in bodies(app)[-1]
    assert "1 Feb 2026, 12:00 UTC (shown)" in shown(environment("old"))


def test_a_report_of_an_earlier_version_of_the_tool_is_shown_as_far_as_it_goes(
    store_named: Callable[[str], None], copied: Filled
) -> None:
    """What was added since, an earlier report has not: it is said not to be there."""
    document = json.loads(copied.file("8001").read_text("utf-8"))
    old = {name: document[name] for name in model.Report.model_json_schema()["required"]}
    old |= {"report_version": "1", "times": {**document["times"]}}
    del old["times"]["load"], old["times"]["measures"]
    copied.file("8001").write_text(json.dumps(old), "utf-8")
    store_named(copied.uri)
    text = shown(page({"page": "environment", "run": copied.runs["8001"]}))
    assert "Speed beside others was not measured" in text
    assert "The signal was not measured." in text
    assert "No episode was repeated." in text
    assert "0.62 [0.48, 0.74] n = 40 tasks" in text


@pytest.mark.parametrize("word", [HOSTILE, "y" * 20_000], ids=["hostile", "long"])
def test_every_word_of_a_report_is_text_and_no_more_of_it_than_can_be_read(
    store_named: Callable[[str], None], tmp_path: Path, word: str
) -> None:
    found = [
        monstrous(word).model_copy(update={"times": times(f"2026-03-0{day}T12:00:00+00:00")})
        for day in (1, 2)
    ]
    runs = [log(report, tmp_path) for report in found]
    store_named(file_store(tmp_path))
    for query in (
        {},
        {"page": "environment", "run": runs[1]},
        {"page": "compare", "one": runs[0], "other": runs[1]},
    ):
        drawn = "".join(bodies(page(query)))
        assert not re.search(r"<(img|script)|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b]", drawn)
        assert len(drawn) < 300_000


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        ("", "is damaged, or of another version"),
        ('{"report_version": "9"}', "is damaged, or of another version"),
        (None, "has no report.json to read"),
    ],
)
def test_a_report_that_cannot_be_read_leaves_what_is_known(
    store_named: Callable[[str], None], copied: Filled, harm: str | None, why: str
) -> None:
    if harm is None:
        copied.file("8002").unlink()
    else:
        copied.file("8002").write_text(harm, "utf-8")
    store_named(copied.uri)
    text = shown(page({"page": "environment", "run": copied.runs["8002"]}))
    assert "The report of this run cannot be shown" in text
    assert why in text
    assert "✕ fail not worth training on as it is" in text
    assert "0.94 [0.83, 0.98] n = 40 episodes" in text
    assert "changed: another schema" in text


def test_hostile_text_stays_text_everywhere(environment: Callable[[str], AppTest]) -> None:
    app = environment("8004")
    for body in bodies(app):
        assert not re.search("<(img|script|a href=.javascript)|[\x1b\u202e\u200b]", body)
    assert "<script>document.title='owned'</script>" in shown(app)
    assert [found.value for found in app.markdown] == []


def rollouts(filled: Filled, port: str, **more: str) -> AppTest:
    return page({"page": "rollouts", "run": filled.runs[port], **more})


def test_an_episode_is_stepped_through(store_named: Callable[[str], None], filled: Filled) -> None:
    store_named(filled.uri)
    app = rollouts(filled, "8001")
    assert "Episodes of maze" in shown(app)
    assert 'reset with { "seed": 0 }' in shown(app)
    assert "reward null" in shown(app), "null is shown as null"
    checked(next(button for button in app.button if button.label == "Step on").click().run())
    assert 'action { "move": 1 }' in shown(app)
    assert app.query_params["step"] == "1"
    assert '"move": 2' in shown(rollouts(filled, "8001", episode="0", step="2"))


def test_a_repetition_stands_beside_what_it_repeats(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    app = rollouts(filled, "8001", name="-/seed-0/random/0/fresh-replay-1")
    assert "The first difference is at step 2." in shown(app)
    assert "≠ differs" not in shown(app)
    jump = next(button for button in app.button if button.label == "Go to the first difference")
    checked(jump.click().run())
    text = shown(app)
    assert text.count("observation ≠ differs") == 2
    assert "reward ≠ differs" not in text
    assert '"at": 3' in text
    assert '"at": 2' in text


def test_errors_and_missing_answers_are_named(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    text = shown(rollouts(filled, "8001", episode="2", step="1"))
    assert "timeout: no answer; 0 steps; ended: failed" in text
    assert "error no answer came" in text


def test_hostile_observations_stay_text(store_named: Callable[[str], None], filled: Filled) -> None:
    store_named(filled.uri)
    for step in ("0", "1"):
        app = rollouts(filled, "8001", episode="3", step=step)
        for body in bodies(app):
            assert not re.search("<(img|script)|[\x1b\u202e\u200b]", body)
            assert len(body) < 300_000, "a megabyte is cut"
    assert "more characters" in shown(app)


@pytest.mark.parametrize("harm", ["gone", "damaged", "never"])
def test_episodes_that_cannot_be_read_are_missing(
    store_named: Callable[[str], None], copied: Filled, harm: str
) -> None:
    port = "8003" if harm == "never" else "8001"
    folder = copied.file("8001").parent / "episodes"
    if harm == "gone":
        shutil.rmtree(folder)
    elif harm == "damaged":
        for file in folder.iterdir():
            file.write_bytes(b"no parquet")
    store_named(copied.uri)
    assert "There are no episodes to step through" in shown(rollouts(copied, port))


def test_two_runs_beside_each_other(store_named: Callable[[str], None], filled: Filled) -> None:
    store_named(filled.uri)
    app = page({"page": "compare", "one": filled.runs["8001"], "other": filled.runs["8002"]})
    text = shown(app)
    assert "They differ in what they say of themselves" in text
    assert "noop 0.00 [0.00, 0.09], n = 40 episodes 0.94 [0.83, 0.98]" in text
    assert "semantic.floor_gap ✓ passes 0.86 above the floor ✕ fails" in text
    assert "changed" in text
    alone = page({"page": "compare", "one": filled.runs["8001"]})
    assert "Choose two validations" in shown(alone)
    checked(alone.selectbox[1].select(filled.runs["8004"]).run())
    assert alone.query_params["other"] == filled.runs["8004"]
    assert "Choose two validations" not in shown(alone)


def test_a_run_is_started_only_from_this_machine(
    store_named: Callable[[str], None], filled: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_named(filled.uri)
    assert "Runs are not started from here" in shown(page({"page": "run"}))
    monkeypatch.setenv(RUNS, "1")
    app = page({"page": "run"})
    assert [field.label for field in app.text_input] == ["Address"]
    app.text_input[0].set_value("file:///etc/passwd")
    checked(app.button[0].click().run())
    assert "An address begins with http://" in app.error[0].value


def test_the_next_step_filters_and_the_order_can_be_chosen(
    store_named: Callable[[str], None], filled: Filled
) -> None:
    store_named(filled.uri)
    text = shown(page({"next": "fix the grader"}))
    assert "8002" in text
    assert "8001" not in text
    app = page({"sort": "name"})
    places = [shown(app).index(f"127.0.0.1:{port}") for port in ("8004", "8001", "8002", "8003")]
    assert places == sorted(places)
    assert "chosen to compare" in shown(page({"pick": filled.runs["8001"]}))
    assert "compare with the chosen" in shown(page({"pick": filled.runs["8001"]}))
