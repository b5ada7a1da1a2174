"""Where an environment stands among others."""

from dataclasses import replace

from reports.model import Measure
from reports.standing import MOST_TAGS, rank, standing
from tests.reports.builders import (
    everything,
    pays_for_nothing,
    share,
    undefined,
    worth_training,
)


def test_verdict_comes_first_and_an_unknown_signal_last() -> None:
    order = [row.url for row in rank(map(standing, everything()))]
    assert order == [f"http://127.0.0.1:{port}" for port in (8001, 8003, 8002, 8004)]


def test_tags_are_those_of_the_declarations_as_far_as_they_are_words() -> None:
    def tags(found: object) -> tuple[str, ...]:
        manifest = {"validation": {"types": {"tags": found}}}
        return standing(worth_training().model_copy(update={"manifest": manifest})).tags

    assert tags(["grid", "text", "grid", "", 7, None, {"a": 1}]) == ("grid", "text")
    assert tags("grid") == tags(None) == tags({"a": ["grid"]}) == ()
    assert standing(worth_training()).tags == ()
    assert tags(["a\x1b[2J"]) == ("a\\x1b[2J",)
    assert len(tags([f"t{n}" for n in range(50)])) == MOST_TAGS


def test_few_lucky_episodes_do_not_win() -> None:
    proven = standing(worth_training())
    lucky = replace(proven, name="lucky", headline={"signal": share(0.9, 0.3, 1.0, 4)})
    assert [row.name for row in rank([lucky, proven])] == ["maze", "lucky"]


def test_zero_signal_stands_before_none() -> None:
    row = standing(worth_training())
    zero = replace(row, name="zero", headline={"signal": share(0.0, 0.0, 0.1)})
    none = replace(row, name="none", headline={"signal": Measure(estimate=None, undefined="x")})
    missing = replace(row, name="missing", headline={})
    assert [r.name for r in rank([missing, none, zero])] == ["zero", "missing", "none"]


def test_what_training_gains_comes_before_a_signal_and_by_its_lower_end() -> None:
    row = standing(worth_training())
    signal = replace(row, name="signal", headline={"signal": share(1.0, 0.9, 1.0)})
    some = replace(row, name="some", headline={"training_value": share(0.3, 0.2, 0.4)})
    more = replace(
        row,
        name="more",
        headline={"training_value": share(0.5, 0.1, 0.9), "signal": share(1.0, 0.9, 1.0)},
    )
    none = replace(row, name="none", headline={"training_value": undefined("x")})
    found = [r.name for r in rank([none, signal, more, some])]
    assert found == ["some", "more", "signal", "none"]


def test_a_group_fits_does_not_fit_or_was_not_tried() -> None:
    served = standing(worth_training())
    assert served.serves_group is True
    assert standing(pays_for_nothing()).serves_group is False
    assert replace(served, sessions_served=4).serves_group is None
