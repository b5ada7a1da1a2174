"""Gives each episode its agent."""

from collections.abc import Mapping

from probes.base import Agent, AnyAgent, Lane, Probe
from probes.oracle.solver import Solver
from probes.oracle.walk import Walk
from validator.episodes import EpisodeKey
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
    ) -> None:
        self._probes = probes
        self._walks = walks
        self._lane = lane
        self._seed = seed

    def begin(self, key: EpisodeKey) -> AnyAgent:
        """Return a new agent for an episode: the same key, the same agent.

        Raises:
            Unplayable: the probe has no action to offer here.
        """
        if key.walk:
            return walker(self._walks[key.walk])
        return self._probes[key.probe].begin(self._lane, stream(self._seed, *key.draws))


def walker(walk: Trajectory) -> Agent:
    """Return a new agent that goes a way."""
    return Walk(walk.actions) if walk.solve is None else Solver(walk.solve, walk.start.reset)
