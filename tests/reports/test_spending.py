"""What was spent is told in a line, and read back as it was."""

import pytest

from reports import words
from reports.model import Report, dump, load
from reports.spending import Spending, Spent, Stopped
from reports.writers.markdown import Markdown
from tests.reports.builders import worth_training

SIGNAL = "statistical.training_signal"


def spent(episodes: list[int], why: Stopped = "decided", looks: int = 4) -> Report:
    found = Spending(
        looks=looks,
        episodes=episodes,
        why=why,
        checks={
            "runtime.startup": Spent(episodes=2, look=1, why="decided"),
            SIGNAL: Spent(episodes=120, look=len(episodes), why="undecidable"),
        },
    )
    return worth_training().model_copy(update={"spending": found})


def test_a_run_that_stopped_at_its_first_look_says_so() -> None:
    told = words.spending(spent([210]))
    assert told == "1 of 4 looks, 210 episodes, then all was settled that the verdict rests on"


@pytest.mark.parametrize(
    ("why", "said"), [("budget", "then the budget was spent"), ("stopped", "then it was stopped")]
)
def test_what_a_run_went_on_for_is_named(why: Stopped, said: str) -> None:
    told = words.spending(spent([210, 52], why))
    assert told == f"2 of 4 looks, 210 + 52 episodes, {said}; went on for {SIGNAL} (120 episodes)"


def test_a_run_of_a_fixed_size_has_nothing_to_tell() -> None:
    assert words.spending(spent([700], "played", looks=1)) == ""
    assert words.spending(worth_training()) == ""


def test_it_stands_in_the_report_and_comes_back() -> None:
    report = spent([210, 52])
    assert f"- spent: {words.spending(report)}" in Markdown().write(report)
    assert load(dump(report)).spending == report.spending
