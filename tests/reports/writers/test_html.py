"""One page that opens from disk, says what the report says, and can do nothing."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from reports import numbers
from reports.model import Figures, GroupSignal, Learning, Measure, Replays, Report, ScoreCount
from reports.writers.badge import Badge
from reports.writers.html import Html
from reports.writers.markdown import Markdown
from reports.writers.terminal import Terminal
from tests.reports.builders import (
    HOSTILE,
    everything,
    hostile,
    left_open,
    pays_for_nothing,
    share,
    worth_training,
)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def said(self) -> str:
        return " ".join(" ".join(self.words).split())


def with_figures() -> Report:
    learned = Learning(
        episodes=60, curve=[(10, 0.1), (60, 0.7)], slope=share(0.9, 0.4, 1.3),
        improvement=share(0.5, 0.2, 0.7, 8, "starts"), gap=share(0.0, -0.1, 0.1, 8, "starts"),
    )  # fmt: skip
    found = worth_training()
    figures = Figures(
        signal_by_group=[
            GroupSignal(group_size=2, signal=share(0.2, 0.1, 0.4, 8, "starts")),
            GroupSignal(group_size=8, signal=share(0.62, 0.48, 0.74, 8, "starts")),
        ],
        signal_probe="random",
        scores=[
            ScoreCount(probe="noop", score=0.0, episodes=9),
            ScoreCount(probe="random", score=1.0, episodes=4),
        ],
        replays=[
            Replays(start="seed 0", condition="fresh", replays=3, agreed=3),
            Replays(
                start="seed 1", condition="reused", replays=2, agreed=1,
                differs="step 2, observation $.hint: a then b",
            ),
        ],
    )  # fmt: skip
    ladder = [*found.ladder[:-1], found.ladder[-1].model_copy(update={"learning": learned})]
    return found.model_copy(update={"figures": figures, "ladder": ladder})


@pytest.mark.parametrize("report", [*everything(), with_figures()], ids=lambda r: r.target.url)
def test_the_page_loads_nothing_and_runs_nothing(report: Report) -> None:
    page = Page(Html().write(report))
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "link", "iframe", "a"})
    for _, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert {"src", "href"}.isdisjoint(attributes)
    policies = [a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    style = re.search("<style>(.*)</style>", Html().write(report), re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_hostile_words_are_shown() -> None:
    text = Html().write(hostile())
    assert HOSTILE[:20] in Page(text).said
    assert not re.search("[\x00-\x08\x0b\x1b\u202e\u200b]", text)


def test_every_number_is_the_one_of_the_other_writers() -> None:
    for report in (pays_for_nothing(), worth_training()):
        page = Page(Html().write(report)).said
        markdown = Markdown().write(report).replace("\\", "")
        terminal = " ".join(Terminal().write(report).split())
        for measure in report.headline.values():
            for said in (page, markdown, terminal):
                assert numbers.short(measure) in said


def test_a_failure_is_open_with_what_to_do() -> None:
    page = Page(Html().write(pays_for_nothing()))
    assert "✕ fail not worth training on as it is" in page.said
    assert "do Pay nothing for an empty answer." in page.said
    opened = [a for t, a in page.tags if t == "details" and "open" in a]
    assert [a["class"] for a in opened] == ["fail", "fail"]


def test_passed_checks_lie_folded_after_the_others() -> None:
    page = Page(Html().write(left_open()))
    kinds = [a["class"] for t, a in page.tags if t == "details" and a.get("class")]
    assert kinds == ["question", "error", "skip"]
    good = Page(Html().write(worth_training()))
    folds = [a for t, a in good.tags if t == "details"]
    assert folds[0] == {"class": "pass passed"}
    assert "6 checks passed" in good.said


def test_cells_name_their_column_where_there_is_no_room_for_a_table() -> None:
    page = Page(Html().write(worth_training()))
    labels = [a["data-label"] for t, a in page.tags if t == "td" and "data-label" in a]
    assert labels[:4] == ["number", "95% interval and n", "what it says", "method"]


def test_null_error_and_zero_are_told_apart() -> None:
    said = Page(Html().write(left_open())).said
    assert "undefined: no success is known" in said
    assert "check broke semantic.verifier_determinism" in said
    assert "6 absent, 4 error" in said


def test_each_figure_is_drawn_and_said_in_words() -> None:
    page = Page(Html().write(with_figures()))
    drawn = [a["aria-label"] for t, a in page.tags if t == "svg"]
    assert drawn == [
        "mean score, with 95% intervals",
        "share of groups that teach",
        "Scores by probe",
        "Mean score by task and probe",
        "Exact repetitions that agreed",
        "Learning curve: mean score since the last point",
        "steps per second",
        "milliseconds a step, median",
    ]
    assert "8 sessions at once: 2,510 steps per second [2,262, 2,731]" in page.said
    assert "groups of 2 teach in 0.20 [0.10, 0.40], n = 8 starts" in page.said
    assert "4 of 5 exact repetitions gave the same episode" in page.said
    assert "seed 1, reused, step 2, observation $.hint: a then b" in page.said
    assert "✓ 3/3" in page.said
    assert "✕ 1/2" in page.said


def test_an_interval_is_drawn_to_scale() -> None:
    text = Html().write(with_figures())
    part = text[text.index("share of groups that teach") :]
    spans = re.findall(r'<line class="span" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"', part)
    (x1, x2), (y1, y2) = ([float(end) for end in span] for span in spans[:2])
    assert (x2 - x1) / (y2 - y1) == pytest.approx(0.3 / 0.26, rel=0.01)


def test_latencies_of_milliseconds_are_told_apart() -> None:
    """A step takes 0.9 ms on one session and 2.6 ms on eight: 0.81 to 3.13 ms is all there is."""
    text = Html().write(with_figures())
    part = text[text.index('aria-label="milliseconds a step, median"') :]
    rail = re.search(r'<line class="rail" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"', part)
    assert rail is not None
    left, right = (float(end) for end in rail.groups())
    dots = [(float(x) - left) / (right - left) for x in re.findall(r'<circle cx="([\d.]+)"', part)]
    assert dots[0] == pytest.approx(0.09 / (1.2 * 2.61 - 0.81), abs=0.01)
    assert dots[3] == pytest.approx((2.61 - 0.81) / (1.2 * 2.61 - 0.81), abs=0.01)


def test_where_nothing_was_played_the_page_says_so() -> None:
    bare = worth_training().model_copy(update={"ladder": [], "tasks": [], "headline": {}})
    said = Page(Html().write(bare)).said
    assert "No probe was scored." in said
    assert "No episode was repeated." in said
    assert "The signal was not measured." in said


@pytest.mark.parametrize("report", everything(), ids=lambda report: report.target.url)
def test_a_badge_is_one_image_that_says_the_verdict(report: Report) -> None:
    root = ET.fromstring(Badge().write(report))
    said = "".join(root.itertext())
    assert f"envassay: {report.verdict.status}" in said
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {
        "svg", "title", "rect", "text",
    }  # fmt: skip


def test_a_badge_has_the_interval_of_the_signal() -> None:
    assert "signal 0.62 [0.48, 0.74]" in Badge().write(worth_training())
    without = worth_training().model_copy(
        update={"headline": {"signal": Measure(estimate=None, undefined="nothing was played")}}
    )
    assert "signal" not in Badge().write(without)
