"""Each look plays a part of the next one, fixed beforehand; the last plays everything."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.base import Rung
from validator.rollouts.budget import PRESETS
from validator.rollouts.looks import Look, looks_of
from validator.rollouts.needs import Need, Scale
from validator.rollouts.plan import asked_for, plan_episodes
from validator.rollouts.start import Start
from validator.targets.base import Task

RUNGS: dict[str, Rung] = {
    "noop": "null", "constant": "null", "random": "blind", "sticky": "blind", "echo": "panel",
}  # fmt: skip
STARTS = [Start(task=Task(id="-", options={}), seed=seed) for seed in range(12)]

needs = st.lists(
    st.builds(
        Need,
        rung=st.sampled_from(["null", "blind", "panel"]),
        starts=st.integers(1, 12),
        repeats=st.integers(1, 12),
        scripted=st.booleans(),
        replays=st.integers(0, 3),
        condition=st.sampled_from(["fresh", "reused", "watched"]),
        whole=st.booleans(),
    ),
    min_size=1,
    max_size=5,
)
scales = st.builds(
    Scale,
    starts=st.integers(1, 30),
    repeats=st.integers(8, 16),
    replays=st.integers(1, 5),
    replayed_starts=st.integers(1, 8),
)


@given(needs, scales)
def test_a_look_plays_part_of_the_next_and_the_last_plays_all(
    wanted: list[Need], scale: Scale
) -> None:
    looks = looks_of(scale, 8, fixed=False)
    parts = [asked_for(map(look.part, wanted), STARTS, RUNGS) for look in looks]
    assert all(before <= after for before, after in zip(parts, parts[1:], strict=False))
    assert parts[-1] == asked_for(wanted, STARTS, RUNGS)
    assert [(look.number, look.of) for look in looks] == [
        (number, len(looks)) for number in range(1, len(looks) + 1)
    ]


@given(needs, scales)
def test_all_looks_together_play_what_a_fixed_run_plays(wanted: list[Need], scale: Scale) -> None:
    played: set[object] = set()
    for look in looks_of(scale, 8, fixed=False):
        plan = plan_episodes(
            map(look.part, wanted), STARTS, RUNGS, ceiling=10_000, played=frozenset(played)
        )
        again = [key for key in plan.keys if key in played]
        assert not again or any(need.condition == "reused" for need in wanted)
        played |= set(plan.keys)
    assert played >= asked_for(wanted, STARTS, RUNGS)


def test_the_first_look_visits_every_start_and_plays_some_in_depth() -> None:
    first, second, *_ = looks_of(PRESETS["standard"].scale(8), 8, fixed=False)
    assert first.part(Need(rung="blind", starts=20, repeats=16)) == Need(
        rung="blind", starts=20, repeats=8, deep=4, wide=6
    )
    assert second.part(Need(rung="null", starts=20)).deep == 8
    assert first.part(Need(rung="panel", starts=8)).starts == 4
    scripts = first.part(Need(rung="blind", starts=8, scripted=True, replays=3))
    assert (scripts.starts, scripts.replays) == (6, 1)
    assert first.part(replace(scripts, starts=8, condition="watched")).starts == 4
    assert first.part(Need(rung="blind", starts=8, replays=19, whole=True)).replays == 19
    found = asked_for([first.part(Need(rung="null", starts=12))], STARTS, RUNGS)
    assert sum(key.probe == "noop" for key in found) == 12
    assert sum(key.probe == "constant" for key in found) == 6


@pytest.mark.parametrize(("name", "looks"), [("quick", 3), ("standard", 4), ("deep", 4)])
def test_looks_that_add_nothing_are_left_out(name: str, looks: int) -> None:
    scale = PRESETS[name].scale(8)
    assert len(looks_of(scale, 8, fixed=False)) == looks
    assert looks_of(scale, 8, fixed=True) == (
        Look(
            number=1,
            of=1,
            deep=scale.starts,
            wide=scale.starts,
            repeats=scale.repeats,
            replays=scale.replays,
            replayed=scale.replayed_starts,
            tried=scale.starts,
        ),
    )
