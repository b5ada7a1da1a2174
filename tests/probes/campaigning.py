"""Plays a campaign in small worlds of this process."""

from collections.abc import Callable
from typing import Any, Protocol

from probes.base import Finished, Json, Seen
from probes.campaign import Campaign, Result

MOVES: Json = {
    "type": "object",
    "properties": {"move": {"enum": ["left", "right", "stay"]}},
    "required": ["move"],
}


class World(Protocol):
    def reset(self) -> Json: ...

    def step(self, action: Any) -> tuple[Json, float, bool]: ...


def episode(
    campaign: Campaign, world: World, *, start: str = "a", learning: bool = True, longest: int = 20
) -> tuple[float, list[Json]]:
    """Play one episode; return its score and what was done."""
    agent = campaign.begin(start, learning=learning)
    seen = Seen(observation=world.reset(), step=0)
    score, actions, reward, done = 0.0, [], None, False
    for step in range(1, longest + 1):
        try:
            action = agent.act(seen)
        except Finished:
            break
        actions.append(action)
        observation, reward, done = world.step(action)
        score += reward
        seen = Seen(observation=observation, step=step, reward=reward)
        if done:
            break
    campaign.ended(Result(score=score, reward=reward, done=done))
    return score, actions


def episodes(campaign: Campaign, world: Callable[[], World], most: int) -> list[float]:
    """Play episodes until the campaign has enough; return their scores."""
    scores = []
    for _ in range(most):
        if campaign.finished:
            break
        scores.append(episode(campaign, world())[0])
    return scores
