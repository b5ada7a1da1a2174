"""The live state of campaigns: each plays its episodes one after the other and hears of each."""

from collections.abc import Mapping

from probes.base import AnyAgent, Lane, Probe
from probes.campaign import Campaign, Campaigner, Result, Terms
from validator.client.reading import Number
from validator.episodes import LEARNING, Episode, EpisodeKey, Part, Scored
from validator.rollouts.broken import contained
from validator.rollouts.needs import Effort
from validator.rollouts.play import Rules
from validator.seeds import stream

APART: frozenset[Part] = frozenset({"control", "new"})
"""Parts that have a campaign of their own: one that never learns, and one on new starts."""


class _Running:
    """One campaign, and what it has spent."""

    def __init__(self, campaign: Campaign, most_steps: int) -> None:
        self.campaign = campaign
        self.steps_left = most_steps
        self.agent: tuple[EpisodeKey, AnyAgent] | None = None
        """Agent of the episode begun last: the same one where its session was refused."""

    @property
    def finished(self) -> bool:
        return self.steps_left <= 0 or self.campaign.finished


class Campaigns:
    """The campaigns of one round of a run. What belongs to one is found by its episodes' keys."""

    def __init__(
        self,
        probes: Mapping[str, Probe],
        efforts: Mapping[str, Effort],
        *,
        lane: Lane,
        seed: int,
        rules: Rules,
        top: float | None,
    ) -> None:
        self._probes = probes
        self._efforts = efforts
        self._lane = lane
        self._seed = seed
        self._rules = rules
        self._top = top
        self._running: dict[tuple[str | int, ...], _Running] = {}

    def begin(self, key: EpisodeKey) -> AnyAgent:
        """Return the agent of an episode, the same one until the episode has ended.

        Raises:
            Unplayable: the probe has no action to offer here.
        """
        running = self._of(key)
        if running.agent is None or running.agent[0] != key:
            agent = running.campaign.begin(
                f"{key.task}/{key.seed}", learning=key.campaign in LEARNING
            )
            running.agent = key, agent
        return running.agent[1]

    def wants(self, key: EpisodeKey) -> bool:
        """Say whether the campaign of an episode would have it played.

        Raises:
            Unplayable: the probe has no action to offer here.
        """
        with contained(key.probe):
            return key.campaign not in LEARNING or not self._of(key).finished

    def ended(self, episode: Episode) -> bool:
        """Tell a campaign how its episode came out; say whether it needs no more to learn from.

        Raises:
            Unplayable: the probe broke.
        """
        key = episode.key
        with contained(key.probe):
            running = self._of(key)
            running.agent = None
            running.campaign.ended(_result(episode))
            if key.campaign not in LEARNING:
                return False
            running.steps_left -= len(episode.steps)
            return running.finished

    def _of(self, key: EpisodeKey) -> _Running:
        own = (key.task, -1 if key.seed is None else key.seed)
        place: tuple[str | int, ...] = (key.probe,)
        if key.campaign == "explore":
            place = (key.probe, *own)
        elif key.campaign in APART:
            place = (key.probe, key.campaign)
        if place not in self._running:
            self._running[place] = self._start(key, place)
        return self._running[place]

    def _start(self, key: EpisodeKey, place: tuple[str | int, ...]) -> _Running:
        probe, effort = self._probes[key.probe], self._efforts[key.probe]
        assert isinstance(probe, Campaigner)
        terms = Terms(
            episodes=effort.new if key.campaign == "new" else effort.episodes,
            steps=effort.steps,
            longest=self._rules.max_steps,
            top=self._top,
            score=self._rules.score,
        )
        rng = stream(self._seed, "campaign", *place)
        return _Running(probe.campaign(self._lane, rng, terms), effort.steps)


def _result(episode: Episode) -> Result:
    """Return what a campaign is told of its episode."""
    last, done = episode.steps[-1:], episode.ended == "done"
    rewards = [float(one.reward.value) for one in last if isinstance(one.reward, Number)]
    return Result(
        score=episode.outcome.score if isinstance(episode.outcome, Scored) else None,
        reward=rewards[0] if rewards else None,
        done=done,
        observation=last[0].observation if last and done else None,
    )
