"""The library as people use it: by name, on frames, on arrays of any kind."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics import MetricsError, Undefined

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
LABELS = st.one_of(st.integers(0, 3), st.sampled_from("ab"))
NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 1e-320, 1e100, -1e100, 0.1]),
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-3, 3),
    st.booleans(),
)


def calls(scores, tasks):
    rng = np.random.default_rng(0)
    yield lambda: metrics.success_rate(scores, threshold=0.5)
    yield lambda: metrics.mean_score(scores)
    yield lambda: metrics.mean_score(scores, tasks)
    yield lambda: metrics.mean_score(scores, tasks, bounds=(-1, 1))
    yield lambda: metrics.floor({"a": scores, "b": scores[:1]})
    yield lambda: metrics.spread(scores, tasks)
    yield lambda: metrics.nested_components(scores, {"task": tasks, "seed": range(len(scores))})
    yield lambda: metrics.noise_floor(scores, tasks)
    yield lambda: metrics.live_group_share(scores, tasks, group_size=2)
    yield lambda: metrics.group_reward_entropy(scores, tasks, group_size=2)
    yield lambda: metrics.learnability(scores, tasks, threshold=0.5)
    yield lambda: metrics.learnability(scores, tasks, score_range=(-1, 1))
    yield lambda: metrics.best_of_n_gain(scores, tasks, n=2)
    yield lambda: metrics.learnable_share(scores, tasks, tasks)
    yield lambda: metrics.reward_shape(scores)
    yield lambda: metrics.quantile(scores, 0.5)
    yield lambda: metrics.drift(scores)
    yield lambda: metrics.throughput_scaling(scores, scores)
    yield lambda: metrics.jonckheere_terpstra(scores, scores, tasks)
    yield lambda: metrics.rank_correlation(scores, scores[::-1])
    yield lambda: metrics.rank_sum(scores, scores)
    yield lambda: metrics.paired_difference(scores, scores[::-1])
    yield lambda: metrics.paired_permutation(scores, scores[::-1], rng=rng, resamples=99)
    yield lambda: metrics.bootstrap_estimate(scores, rng=rng, resamples=200)
    yield lambda: metrics.betting_sequence(scores, bounds=(-1, 1), grid=20)
    yield lambda: metrics.empirical_bernstein_sequence(scores, bounds=(-1, 1))
    yield lambda: metrics.first_action_effect(scores, tasks, tasks, rng=rng, resamples=99)
    yield lambda: metrics.superiority({"t": scores}, {"t": scores[:2]})
    yield lambda: metrics.pass_at_k(scores, scores, 2)
    yield lambda: metrics.holm(scores)


@given(st.lists(st.tuples(NUMBERS, LABELS), max_size=40))
def test_any_array_gives_a_result_or_a_typed_error(rows):
    scores, tasks = [row[0] for row in rows], [row[1] for row in rows]
    for call in calls(scores, tasks):
        try:
            found = call()
        except MetricsError:
            continue
        if isinstance(found, metrics.Estimate):
            if isinstance(found, metrics.ConfidenceSequence):
                continue  # has one level only
            low, high = found.confidence_interval(0.9)
            assert not np.isnan([found.estimate, low, high]).any()
            assert low <= high


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_ends_hold_the_estimate_where_the_range_is_known(scores):
    tasks = [at % 3 for at in range(len(scores))]
    found = [
        metrics.mean_score(scores, tasks, bounds=(0, 1)),
        metrics.live_group_share(scores, tasks, group_size=2),
        metrics.learnability(scores, tasks, score_range=(0, 1)),
        metrics.group_reward_entropy(scores, tasks, group_size=2),
        metrics.best_of_n_gain(scores, tasks, n=2, bounds=(0, 1)),
    ]
    for one in found:
        if not isinstance(one, Undefined):
            low, high = one.confidence_interval(0.95)
            assert low - 1e-9 <= one.estimate <= high + 1e-9


def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "task": np.repeat(["a", "b", "c"], 8),
            "seed": np.tile([0, 1], 12),
            "probe": "random",
            "repeat": np.tile(range(8), 3),
            "score": rng.integers(0, 2, 24).astype(float),
        }
    )


@pytest.mark.parametrize("kind", ["str", "category", "object"])
def test_columns_of_a_frame_are_taken_as_they_are_and_in_any_order(kind):
    table = frame()
    plain = metrics.live_group_share(list(table.score), list(table.task), group_size=4)
    mixed = table.sample(frac=1, random_state=1).astype({"task": kind})
    found = metrics.live_group_share(mixed.score, mixed.task, group_size=4)
    assert found.estimate == pytest.approx(plain.estimate)
    assert metrics.spread(mixed.score, mixed.task).tasks == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda table: table.assign(score=table.score.where(table.repeat > 0)),
        lambda table: table.assign(score=table.score.astype("Float64").where(table.repeat > 0)),
        lambda table: table.assign(score=table.score.astype(str)),
        lambda table: table.assign(task=table.task.where(table.task != "b")),
    ],
)
def test_a_frame_with_gaps_is_refused(spoil):
    table = spoil(frame())
    with pytest.raises(metrics.MalformedInput):
        metrics.mean_score(table.score, table.task)


def test_labels_are_equal_only_with_equal_types():
    assert metrics.mean_score([0.0, 1.0, 0.5], [1, True, 1.0]).n == 3
    assert metrics.mean_score([0.0, 1.0], ["1", 1]).n == 2


def test_every_public_name_stands_on_the_page_and_only_those():
    on_page = set(re.findall(r"^\| `(\w+)", PAGE.read_text("utf-8"), re.MULTILINE))
    functions = {
        name for name in metrics.__all__ if name[0].islower() and not name.startswith("diverges")
    }
    assert functions <= on_page
    assert {name for name in on_page if hasattr(metrics, name)} <= set(metrics.__all__)
    assert sorted(metrics.__all__) == list(metrics.__all__)
