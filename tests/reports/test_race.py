"""What a reader is told of a race."""

from reports.race import Race, Round, lines_of
from reports.standing import standing
from tests.reports.builders import everything

ROWS = [standing(report) for report in everything()[:3]]
ROUNDS = (
    Round(budget="quick", targets=9, episodes=900, settled=6),
    Round(budget="standard in full", targets=3, episodes=1_500, settled=3),
)


def test_a_settled_race_names_the_best_the_rounds_and_what_was_saved() -> None:
    race = Race(
        top=2, of=9, level=0.95, tolerance=0.05, rounds=ROUNDS, chosen=tuple(ROWS[:2]), undecided=()
    )
    assert lines_of(race) == [
        "The best 2 of 9 (95% over all rounds, differences up to 0.05 aside):",
        f"  {ROWS[0].name} {ROWS[0].url}",
        f"  {ROWS[1].name} {ROWS[1].url}",
        "round 1, quick: 9 targets, 900 episodes, 6 settled",
        "round 2, standard in full: 3 targets, 1,500 episodes, 3 settled",
        "saved: 6 targets were not played at standard in full, where one took 500 episodes: "
        "about 3,000",
    ]


def test_what_is_not_settled_is_named() -> None:
    race = Race(
        top=1, of=2, level=0.95, tolerance=0.0, rounds=ROUNDS[:1], chosen=tuple(ROWS[:1]),
        undecided=tuple(ROWS[:2]),
    )  # fmt: skip
    first, *_, last = lines_of(race)
    assert first == "The best 1 of 2, as far as that is settled (95% over all rounds):"
    assert last == (
        "not settled, since their intervals leave it open: "
        f"{ROWS[0].name} {ROWS[0].url}; {ROWS[1].name} {ROWS[1].url}"
    )
