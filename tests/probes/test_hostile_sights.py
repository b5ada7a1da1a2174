"""No probe breaks on what a server may send, in whole campaigns as in single episodes."""

from importlib.metadata import EntryPoint, entry_points
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probes.base import Finished, Json, Lane, Seen, Stuck, Unplayable
from probes.campaign import Campaigner, Result, Terms
from probes.slow import SlowProbe

PROBES = [one for one in entry_points(group="envassay.probes") if one.dist.name == "envassay"]  # type: ignore[union-attr]

ODD: list[Json] = [
    0, -1, 2.5, 10**400, -(10**400), 1e308, -1e308, float("inf"), float("-inf"), float("nan"),
    1e-320, True, None, "", "\ud800", "9/0", "1e999", "²", "9" * 5_000, "-" * 2_000, "[" * 3_000,
    "between 1 and " + "9" * 400, "Valid moves: " + "1" * 500 + ", 2", "error: nope",
    "7 apples at 10 each",
]  # fmt: skip
NAMES = ("answer", "legal_moves", "tool_name", "result", "number", "data", "content", "options")


def needing(**fields: Json) -> Json:
    return {"type": "object", "properties": fields, "required": [*fields]}


CALL = needing(tool_name={"type": "string"}, arguments={"type": "object"})
PUT: Json = needing(n={"type": "number"}, w={"type": "string"})
LANES = [
    Lane(action_schema=needing(n={"type": "number"}), tools=None),
    Lane(action_schema=needing(n={"type": "number", "minimum": 0, "maximum": 1e300}), tools=None),
    Lane(action_schema=needing(n={"type": "integer"}, t={"type": "string"}), tools=None),
    Lane(action_schema=needing(m={"enum": ["a", "b"]}, x={"type": "number"}), tools=None),
    Lane(action_schema=None, tools=None),
    Lane(action_schema=CALL, tools=({"name": "put", "description": "", "input_schema": PUT},)),
]
SIGHTS = st.recursive(
    st.sampled_from(ODD),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=12,
)
STEPS = st.lists(
    st.tuples(SIGHTS, st.sampled_from([0.0, 1.0, None, 1e90, -1e90]), st.booleans()),
    min_size=4,
    max_size=24,
)


def episode(agent: Any, steps: list[tuple[Json, float | None, bool]]) -> Result:
    """Play through some sights; those that are marked answer the action with an error."""
    reward: float | None = None
    for step, (sight, reward, refused) in enumerate(steps):
        error = "refused" if refused and step else None
        seen = Seen(observation=sight, step=step, reward=reward, error=error, aside=sight)
        try:
            agent.act(seen)
        except (Finished, Stuck):
            break
    return Result(score=reward, reward=reward, done=True, observation=steps[-1][0])


@pytest.mark.parametrize("point", PROBES, ids=lambda point: point.name)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(lane=st.sampled_from(LANES), steps=STEPS, seed=st.integers(0, 9))
def test_no_sight_breaks_a_probe(
    point: EntryPoint, lane: Lane, steps: list[tuple[Json, float | None, bool]], seed: int
) -> None:
    probe, rng = point.load()(), np.random.default_rng(seed)
    if isinstance(probe, SlowProbe):
        return
    try:
        episode(probe.begin(lane, rng), steps)
        if isinstance(probe, Campaigner):
            terms = Terms(episodes=6, steps=100, longest=6, top=None)
            campaign = probe.campaign(lane, rng, terms)
            for number in range(6):
                part = steps[number % 3 :][:6]
                campaign.ended(episode(campaign.begin("start", learning=number < 4), part))
    except Unplayable:
        return


def test_whole_numbers_beyond_floats_are_read_by_search_and_learner() -> None:
    """One such number in an observation once ended the whole run."""
    sights: list[tuple[Json, float | None, bool]] = [
        ({"at": at, "far": far, "n": [1, 10**400]}, 1e90 * at, False)
        for at, far in enumerate((10**400, -(10**400), 1e308, 10**400))
    ]
    for name in ("search", "learner"):
        probe = next(point for point in PROBES if point.name == name).load()()
        for lane in LANES[:4]:
            terms = Terms(episodes=8, steps=100, longest=4, top=None)
            campaign = probe.campaign(lane, np.random.default_rng(0), terms)
            for _ in range(8):
                campaign.ended(episode(campaign.begin("start", learning=True), sights))
