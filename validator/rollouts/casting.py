"""Gives each episode its agent."""

from collections.abc import Mapping

from probes.base import Agent, AnyAgent, Lane, Probe
from probes.oracle.solver import Solver
from probes.oracle.walk import Walk
from validator.episodes import EpisodeKey
from validator.rollouts.broken import contained
from validator.rollouts.campaigns import Campaigns
from validator.rollouts.start import Trajectory
from validator.seeds import stream


class Casting:
    """The probes of a run, and the trajectories it walks."""

    def __init__(
        self,
        probes: Mapping[str, Probe],
        walks: Mapping[str, Trajectory],
        *,
        lane: Lane,
        seed: int,
        campaigns: Campaigns | None = None,
    ) -> None:
        self.campaigns = campaigns
        """Those of its probes that go on over episodes; None where none does."""
        self._probes = probes
        self._walks = walks
        self._lane = lane
        self._seed = seed

    def begin(self, key: EpisodeKey) -> AnyAgent:
        """Return an agent for an episode: the same key, the same agent.

        That of a campaign's episode depends on how those before it came out, too.

        Raises:
            Unplayable: the probe has no action to offer here.
        """
        if key.walk:
            return walker(self._walks[key.walk])
        with contained(key.probe):
            if key.campaign and self.campaigns is not None:
                return self.campaigns.begin(key)
            return self._probes[key.probe].begin(self._lane, stream(self._seed, *key.draws))

    def without_campaigns(self, walks: Mapping[str, Trajectory]) -> "Casting":
        """Return the same of these trajectories alone, and of no campaign."""
        return Casting(self._probes, walks, lane=self._lane, seed=self._seed)


def walker(walk: Trajectory) -> Agent:
    """Return a new agent that goes a way."""
    return Walk(walk.actions) if walk.solve is None else Solver(walk.solve, walk.start.reset)
