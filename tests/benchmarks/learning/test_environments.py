"""The registry holds what the benchmark promises."""

from collections import defaultdict

import pytest

from benchmarks.learning.environments import ENVIRONMENTS, find_environment


def test_there_are_enough_of_enough_families() -> None:
    families = defaultdict(list)
    for one in ENVIRONMENTS:
        families[one.family].append(one.id)
    assert len(ENVIRONMENTS) >= 60
    assert len(families) >= 6
    assert min(len(ids) for ids in families.values()) >= 8
    assert len({one.id for one in ENVIRONMENTS}) == len(ENVIRONMENTS)
    assert all(one.id.startswith(f"{one.family}/") for one in ENVIRONMENTS)


@pytest.mark.parametrize("kind", ["noise", "saturated", "impossible", "hackable", "sparse"])
def test_the_broken_are_spread_over_families(kind: str) -> None:
    families = {one.family for one in ENVIRONMENTS if one.kind == kind}
    assert len(families) >= 4


def test_each_has_a_manifest_and_something_to_gain() -> None:
    for one in ENVIRONMENTS:
        declared = one.manifest.envassay
        assert declared.score_range == one.scores
        assert declared.horizon == one.horizon == one.told["horizon"]
        assert declared.success_field is None
        assert 0 <= one.floor < one.ceiling <= 1
        assert 5_000 <= one.steps <= 30_000


def test_an_unknown_one_is_refused() -> None:
    with pytest.raises(KeyError):
        find_environment("grid/nowhere")
