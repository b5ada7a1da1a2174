"""What reference learners share: how they are begun, and how they list what may be done."""

import numpy as np

from probes.actions.legal import Legal
from probes.base import Agent, Lane, Rung, Seen
from probes.blind.uniform import Uniform
from probes.campaign import Terms
from probes.search.moves import Choices, Listing


class Reference:
    """A reference learner as a probe. Played alone it knows nothing and draws legal actions."""

    name: str
    version = "1"
    rung: Rung = "learner"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Agent:
        return Uniform().begin(lane, rng)


class Training:
    """One reference learner on one environment: it goes on as long as it may."""

    finished = False

    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        self.legal = Legal(lane, rng)
        self.rng = rng
        self.terms = terms
        self._listing: Listing | None = None

    def choices(self, seen: Seen) -> Choices:
        """Return the actions to choose from, as the project's own learner has them."""
        self.legal.look(seen)
        space = self.legal.space
        if self._listing is None or self._listing.space is not space:
            self._listing = Listing(space)
        return Choices(self._listing, seen.observation, self.rng)
