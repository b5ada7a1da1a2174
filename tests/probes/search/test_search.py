"""A search reaches what can be reached, stops there, and knows when a world does not repeat."""

import itertools
import uuid
from typing import Any

import numpy as np

from probes.base import Json, Lane
from probes.campaign import Campaigner, Terms
from probes.search.archive import Archive, Edge
from probes.search.cells import Clocks, cell_of, differing, leaves_of
from probes.search.moves import Choices, Listing
from probes.search.search import Exploration, Search
from tests.probes.campaigning import MOVES, episode, episodes

LANE = Lane(action_schema=MOVES, tools=None)
STEPS = {"left": -1, "right": 1, "stay": 0}


class Line:
    """Nine places right of the start the goal pays; ids and steps stand beside the place."""

    def reset(self) -> Json:
        self.at = self.steps = 0
        return self._look()

    def step(self, action: Any) -> tuple[Json, float, bool]:
        self.at = max(-9, self.at + STEPS[action["move"]])
        self.steps += 1
        return self._look(), float(self.at == 9), self.at == 9 or self.steps == 20

    def _look(self) -> Json:
        return {"at": self.at, "steps_left": 20 - self.steps, "id": str(uuid.uuid4())}


class Blind(Line):
    """Shows nothing of the place."""

    def _look(self) -> Json:
        return {"steps_left": 20 - self.steps}


class Restless(Line):
    """Moves by dice that no seed governs."""

    dice = itertools.count(3)

    def step(self, action: Any) -> tuple[Json, float, bool]:
        self.at += [-1, 0, 1, 1][next(self.dice) * 7 % 11 % 4] * 5
        return super().step(action)


def search(seed: int = 0, **told: Any) -> Exploration:
    terms: dict[str, Any] = {"episodes": 60, "steps": 3_000, "longest": 20, "top": 1.0}
    return Search().campaign(LANE, np.random.default_rng(seed), Terms(**(terms | told)))


def test_a_search_is_a_campaigner_and_can_play_alone() -> None:
    assert isinstance(Search(), Campaigner)
    agent = Search().begin(LANE, np.random.default_rng(0))
    assert agent is not None


def test_it_walks_to_where_chance_does_not_get_and_stops_there() -> None:
    """Chance takes nine right steps more than it takes back in one of some thousand episodes."""
    for seed in range(5):
        campaign = search(seed)
        scores = episodes(campaign, Line, 60)
        assert scores[-1] == 1.0
        assert sum(scores) == 1.0
        assert campaign.finished
        assert len(scores) < 60


def test_equal_generators_give_equal_campaigns() -> None:
    one, other = search(4), search(4)
    assert [episode(one, Line())[1] for _ in range(12)] == [
        episode(other, Line())[1] for _ in range(12)
    ]


def test_ids_are_learned_and_steps_are_no_place() -> None:
    campaign = search(1, top=None)
    episodes(campaign, Line, 8)
    assert campaign.memory.volatile == {".id"}
    assert campaign.memory.clocks.paths == {".steps_left"}
    assert campaign.memory.archive is not None
    assert len(campaign.memory.archive.places) <= 19


def test_what_is_not_seen_is_told_apart_by_what_was_done() -> None:
    campaign = search(2, episodes=200, top=None)
    episodes(campaign, Blind, 40)
    assert campaign.memory.level > 0
    assert campaign.memory.blind is None


def test_a_world_that_does_not_repeat_is_searched_without_its_replies() -> None:
    campaign = search(3, top=None)
    episodes(campaign, Restless, 40)
    assert campaign.memory.blind is not None
    _, actions = episode(campaign, Restless())
    assert actions


def test_a_plan_joins_what_was_never_walked_as_one() -> None:
    """Two steps, each with a better and a worse action, tried in separate episodes."""
    archive = Archive("a", {}, "sum")
    for mark, reward in (("x", 1.0), ("y", 5.0)):
        archive.lead("a", mark, Edge(mark, reward, "b"))
    archive.reach(("x",), ("a", "b"), 1.0, {})
    for mark, reward in (("x", 3.0), ("y", 2.0)):
        archive.lead("b", mark, Edge(mark, reward, None))
    plan = archive.plan(10)
    assert plan is not None
    assert (plan.actions, plan.cells, plan.score) == (("y", "x"), ("a", "b"), 8.0)
    assert archive.plan(1).score == 5.0  # type: ignore[union-attr]
    assert archive.lead("a", "x", Edge("x", 2.0, "b"))


def test_cells_leave_out_what_they_are_told_to() -> None:
    one, other = leaves_of({"a": [1, 2], "n": 5}), leaves_of({"a": [1, 2], "n": 6})
    assert differing(one, other) == {".n"}
    assert cell_of(one, frozenset()) != cell_of(other, frozenset())
    assert cell_of(one, frozenset({".n"})) == cell_of(other, frozenset({".n"}))
    assert leaves_of("x" * 10_000) != leaves_of("x" * 10_001)


def test_a_clock_has_one_value_at_each_step_whatever_is_done() -> None:
    clocks = Clocks()
    for places in ((0, 1, 2), (0, 1, 0), (0, 1, 2)):
        clocks.note([{"t": step, "at": at, "same": 3} for step, at in enumerate(places)])
    assert clocks.paths == {"t"}


def test_ways_are_joined_of_their_shortest_parts() -> None:
    archive = Archive("a", {}, "sum")
    archive.reach(("x", "y", "z"), ("a", "b", "c", "d"), 0.0, {})
    for cells in (("a", "b"), ("a", "b", "c")):
        archive.reach(("x", "y")[: len(cells) - 1], cells, 0.0, {})
    for at, action, to in (("a", "x", "b"), ("b", "y", "c"), ("c", "z", "d"), ("b", "j", "d")):
        archive.lead(at, action, Edge(action, 0.0, to, 1))
    archive.shorten()
    place = archive.places["d"]
    assert (place.way, place.cells, place.joined) == (("x", "j"), ("a", "b", "d"), True)
    assert archive.places["c"].joined is False
    archive.reach(("x", "j"), ("a", "b", "d"), 0.0, {})
    archive.reach(("j",), ("a", "d"), 1.0, {})
    assert archive.places["d"].joined is False, "walked as one"
    archive.shorten()
    assert archive.places["d"].way == ("j",), "shorter and worth more"


def test_what_several_actions_lead_to_is_no_ones_own() -> None:
    archive = Archive("a", {}, "sum")
    for cell in ("b", "c"):
        archive.reach(("w",), ("a", cell), 0.0, {})
    for action, to in (("north", "b"), ("sing", "c"), ("dance", "c"), ("hum", "c"), ("stay", "a")):
        archive.lead("a", action, Edge(action, 0.0, to, 1))
    archive.lead("a", "end", Edge("end", 0.0, None, 1))
    found = archive.moves()
    assert {action for action, (_, own) in found.items() if own} == {"north", "end"}
    assert {n for n, _ in found.values()} == {1}


def test_what_only_the_length_ended_is_done_anew_where_time_is_left() -> None:
    archive = Archive("a", {}, "sum")
    archive.reach(("x",), ("a", "b"), 0.0, {})
    space = Exploration(
        Lane(action_schema=MOVES, tools=None), np.random.default_rng(0),
        Terms(episodes=1, steps=9, longest=9, top=None),
    ).memory.legal.space  # fmt: skip
    place = archive.places["b"]
    place.choices = Choices(Listing(space), None, np.random.default_rng(0))
    mark = place.choices.untried()[0]
    place.choices.try_(mark)
    archive.lead("b", mark, Edge("go", 0.0, None, 9))
    archive.lead("b", "unknown", Edge("other", 0.0, None, 9))
    archive.reopen(10)
    assert mark not in place.choices.untried(), "it ended before an episode must"
    archive.reopen(9)
    assert mark in place.choices.untried()
    assert "unknown" not in place.choices.untried(), "it was taken before its place was rebuilt"
    archive.lead("b", mark, Edge("go", 0.0, None, 2))
    place.choices.try_(mark)
    archive.reopen(9)
    assert mark not in place.choices.untried(), "it ended at its second step, too"
