"""How the formula of the score is chosen, on outcomes made up for this."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.learning.predictive import spearman
from benchmarks.learning.report_picture import picture
from benchmarks.learning.score import (
    FORMULAS,
    RISES,
    Formula,
    baseline,
    chosen,
    chosen_with_solutions,
    gains,
    held_out,
    learned,
)


def made_up(*, families: int = 4, each: int = 12, seed: int = 0) -> pd.DataFrame:
    """Return environments in which the learner's rise is the gain, and nothing else tells it."""
    rng = np.random.default_rng(seed)
    n = families * each
    rise = rng.random(n) * 0.8
    table = pd.DataFrame(
        {
            "environment": [f"e{i}" for i in range(n)],
            "family": [f"f{i % families}" for i in range(n)],
            "kind": "sound",
            "mean_reward": 0.1,
            "own_last": 0.1 + rise,
            "gain": rise + rng.normal(0, 0.02, n),
        }
    )
    for name in (
        "learner_last", "learner_held_out", "signal_at_least", "search_over_floor", "own_slope",
        "eight_slope", "own_seen", "eight_seen",
    ):  # fmt: skip
        table[name] = rng.random(n)
    table["noise_share"], table["solution"] = 0.0, 1.0
    for plan in ("own", "eight"):
        table[f"{plan}_unpaid"] = table[f"{plan}_beaten"] = False
    table["low"], table["high"] = table.gain - 0.05, table.gain + 0.05
    table["value"] = rise
    table["value_low"], table["value_high"] = rise - 0.1, rise + 0.1
    return table


def test_what_foretells_the_gain_is_found_and_holds_on_families_left_out() -> None:
    table = made_up()
    found, tally = held_out(table)
    assert set(tally) == {Formula(rise="own")}
    assert spearman(found, table.gain.to_numpy()) > 0.95


def test_a_family_has_no_say_in_its_own_score() -> None:
    table = made_up()
    before, _ = held_out(table)
    spoiled = table.copy()
    own = spoiled.family == "f0"
    spoiled.loc[own, "gain"] = -spoiled.loc[own, "gain"]
    after, _ = held_out(spoiled)
    assert after[own].tolist() == before[own].tolist()


def test_of_formulas_that_do_nearly_as_well_the_simplest_is_taken() -> None:
    table = made_up()
    table["learner_last"] = table["learner_held_out"] = table.own_last
    assert chosen(table) == Formula(rise="own")


def test_noise_is_left_out_where_that_is_asked_for() -> None:
    table = made_up().assign(noise_share=0.75)
    plain, less = Formula(rise="own").of(table), Formula(rise="own", noise=1).of(table)
    assert less == pytest.approx(plain / 4)


def test_what_was_seen_adds_its_share_of_what_is_left() -> None:
    table = made_up()
    plain = Formula(rise="own slope").of(table)
    assert plain == pytest.approx(table.own_slope)
    more = Formula(rise="own slope", best=0.3).of(table)
    assert more == pytest.approx(plain + (1 - plain) * 0.3 * table.own_seen)


def test_solutions_that_show_another_meaning_of_the_reward_make_the_score_zero() -> None:
    table = made_up()
    table.loc[:2, "own_unpaid"] = table.loc[3:5, "own_beaten"] = True
    gated = Formula(rise="own", solutions="gate").of(table)
    assert gated[:6].tolist() == [0.0] * 6
    assert gated[6:].tolist() == Formula(rise="own").of(table)[6:].tolist()
    capped = Formula(rise="own", solutions="cap").of(table.assign(solution=0.3))
    assert capped.max() == pytest.approx(0.3 - 0.1)


def test_solutions_are_used_where_they_tell_more_and_only_there() -> None:
    table = made_up()
    assert chosen_with_solutions(table) == Formula(rise="own")
    hacked = table.index % 3 == 0
    table.loc[hacked, "gain"] = 0.0
    table["own_unpaid"] = hacked
    found, tally = held_out(table, chosen_with_solutions)
    assert {formula.solutions for formula in tally} == {"gate"}
    assert spearman(found, table.gain.to_numpy()) > 0.85


def test_no_formula_has_more_than_two_things_beside_its_rise() -> None:
    assert len(set(FORMULAS)) == len(FORMULAS)
    assert {one.rise for one in FORMULAS} == set(RISES)
    assert max((one.hope > 0) + (one.search > 0) + (one.best > 0) for one in FORMULAS) == 2


def test_the_sign_of_a_baseline_comes_from_the_other_families() -> None:
    table = made_up()
    table["inverted"] = -table.own_last
    assert spearman(baseline(table, "inverted"), table.gain.to_numpy()) > 0.95


def points(seed: int, *, first: float, last: float) -> list[dict[str, object]]:
    return [
        {
            "environment": "e", "seed": seed, "env_steps": steps, "held_out_success": success,
            "held_out_success_sd": 0.5, "held_out_episodes": 100,
            "gain": (success - first) / 0.5,
        }
        for steps, success in ((0, first), (500, (first + last) / 2), (1_000, last))
    ]  # fmt: skip


def test_a_gain_is_the_mean_over_seeds_with_the_larger_of_two_errors() -> None:
    runs = points(0, first=0.2, last=0.6) + points(1, first=0.2, last=0.4)
    row = gains(pd.DataFrame(runs)).iloc[0]
    assert row.gain == pytest.approx((0.8 + 0.4) / 2)
    between = np.std([0.8, 0.4], ddof=1) / np.sqrt(2)
    assert row.high - row.gain == pytest.approx(1.96 * between)
    assert row.half_steps == 500
    alone = gains(pd.DataFrame(points(0, first=0.2, last=0.6))).iloc[0]
    within = 2 * np.hypot(0.5, 0.5) / 10
    assert alone.high - alone.gain == pytest.approx(1.96 * within)


def test_learned_is_a_tenth_surely_above_zero() -> None:
    table = pd.DataFrame({"gain": [0.5, 0.5, 0.05], "low": [0.4, -0.1, 0.04]})
    assert learned(table).tolist() == [1.0, 0.0, 0.0]


def test_the_picture_names_every_point_and_family_and_escapes_them() -> None:
    table = made_up()
    table.loc[0, "environment"] = "<script>"
    drawn = picture(table)
    assert drawn.count("<title>") == len(table)
    assert "&lt;script&gt;" in drawn
    assert "<script>" not in drawn
    assert all(f">{family}<" in drawn for family in set(table.family))
