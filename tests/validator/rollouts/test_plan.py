"""Equal needs are played once, in an order that a smaller budget cuts from the end."""

from hypothesis import given
from hypothesis import strategies as st

from probes.base import Rung
from validator.episodes import EpisodeKey
from validator.rollouts.needs import Need
from validator.rollouts.plan import LONGEST_LANE, Plan, plan_episodes
from validator.rollouts.start import Start
from validator.targets.base import Task

RUNGS: dict[str, Rung] = {"noop": "null", "constant": "null", "random": "blind"}
STARTS = [Start(task=Task(id="-", options={}), seed=seed) for seed in (0, 3, 8, 11, 20)]

needs = st.lists(
    st.builds(
        Need,
        rung=st.sampled_from(["null", "blind"]),
        starts=st.integers(1, 5),
        repeats=st.integers(1, 10),
        scripted=st.booleans(),
        replays=st.integers(0, 3),
        condition=st.sampled_from(["fresh", "reused"]),
        priority=st.integers(0, 2),
    ),
    max_size=6,
)


def keys(plan: Plan) -> list[EpisodeKey]:
    return [key for lane in plan.lanes for key in lane.keys]


def planned(*wanted: Need, ceiling: int = 10_000) -> Plan:
    return plan_episodes(wanted, STARTS, RUNGS, ceiling=ceiling)


@given(needs)
def test_no_episode_is_planned_twice_however_needs_overlap(wanted: list[Need]) -> None:
    found = keys(planned(*wanted))
    assert len(found) == len(set(found))
    assert keys(planned(*wanted, *wanted)) == found


@given(needs, st.integers(1, 60))
def test_a_smaller_budget_plays_the_beginning_of_a_larger_one(
    wanted: list[Need], ceiling: int
) -> None:
    whole, part = planned(*wanted), planned(*wanted, ceiling=ceiling)
    assert part.episodes <= ceiling
    assert part.lanes == whole.lanes[: len(part.lanes)]


@given(needs)
def test_every_need_is_in_the_plan(wanted: list[Need]) -> None:
    found = set(keys(planned(*wanted)))
    for need in wanted:
        names = [name for name, rung in RUNGS.items() if rung == need.rung]
        alone = need.scripted or need.replays > 0
        for place, name in enumerate(names[:1] if alone else names):
            for start in STARTS[: need.starts]:
                for repeat in range(min(need.repeats, 10 if place == 0 else 2)):
                    key = EpisodeKey(
                        task="-", seed=start.seed, probe=name, repeat=repeat, scripted=need.scripted
                    )
                    assert key in found
                    assert key.original == key


def test_the_first_probe_of_a_rung_plays_all_repeats_and_the_others_few() -> None:
    found = keys(planned(Need(rung="null", starts=1, repeats=5)))
    assert sorted((key.probe, key.repeat) for key in found) == [
        ("constant", 0),
        ("constant", 1),
        *(("noop", repeat) for repeat in range(5)),
    ]


def test_a_need_may_name_the_probes_of_a_rung_it_is_for() -> None:
    found = keys(planned(Need(rung="null", probes=("constant",), starts=1, repeats=5)))
    assert [key.probe for key in found] == ["constant"] * 5


def test_twenty_equal_needs_cost_as_much_as_one() -> None:
    need = Need(rung="blind", starts=5, repeats=8)
    assert planned(*[need] * 20).episodes == planned(need).episodes == 40


def test_replays_and_their_originals_are_first_on_their_sessions() -> None:
    plan = planned(Need(rung="blind", starts=2, scripted=True, replays=2))
    assert [len(lane.keys) for lane in plan.lanes] == [1] * 6
    assert {(key.seed, key.replay) for key in keys(plan)} == {
        (seed, replay) for seed in (0, 3) for replay in (0, 1, 2)
    }


def test_a_long_play_stands_without_its_original() -> None:
    plan = planned(Need(rung="blind", starts=2, replays=1, condition="long"))
    assert [(key.seed, key.condition) for key in keys(plan)] == [(0, "long"), (3, "long")]


def test_a_reused_replay_follows_an_episode_of_another_start() -> None:
    plan = planned(Need(rung="blind", starts=3, scripted=True, replays=1, condition="reused"))
    (chain,) = [lane for lane in plan.lanes if lane.chained]
    assert [key.seed for key in chain.keys] == [8, 0, 3, 8]
    assert [key.condition for key in chain.keys] == ["fresh", "reused", "reused", "reused"]
    for before, after in zip(chain.keys, chain.keys[1:], strict=False):
        assert before.seed != after.seed


def test_sessions_are_shared_by_episodes_of_one_start_and_probe() -> None:
    plan = planned(Need(rung="blind", starts=2, repeats=12))
    assert [len(lane.keys) for lane in plan.lanes] == [LONGEST_LANE, 4, LONGEST_LANE, 4]
    assert all(len({(key.seed, key.probe) for key in lane.keys}) == 1 for lane in plan.lanes)


def test_what_is_asked_first_is_played_first() -> None:
    plan = planned(
        Need(rung="blind", starts=5, repeats=8), Need(rung="null", starts=1, priority=0), ceiling=2
    )
    assert {key.probe for key in keys(plan)} == {"noop", "constant"}
