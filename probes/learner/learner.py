"""`learner`: learns in some hundred episodes what pays here, from nothing but rewards."""

from dataclasses import dataclass

import numpy as np

from probes.actions.legal import Legal
from probes.base import Agent, Finished, Json, Lane, Rung, Seen
from probes.blind.uniform import Uniform
from probes.campaign import Result, Terms
from probes.learner.features import (
    AGAIN,
    AGAIN_HERE,
    Indices,
    State,
    columns_of,
    read_state,
    relations_of,
)
from probes.learner.values import Floats, Line, Option, Table
from probes.search.cells import Clocks, Leaves, cell_of, differing, leaves_of
from probes.search.moves import Choices, Listing

DISCOUNT = 0.97
TRACE = 0.8
"""Weight of what an episode brought, against what the next place is taken to be worth."""
EXPLORING = 0.6
"""Share of the episodes after which none is played at random any more."""
SLIP = 0.05
"""Chance of a random action in an episode that is not."""
REPLAYED = 48
"""Past steps that are learned from again after each episode."""
MOST_OPTIONS = 60
ERRORS = 6
MOST_REWARD = 1e30
"""Size beyond which a reward is learned from as if it had this one: sums must stay finite."""
FEW = 3
"""Leaves of a first observation that may be ids."""


class Learner:
    """Learns values of actions over episodes: at random first, ever more as it has learned.

    One set of constants for every environment. Played alone it knows nothing and draws legal
    actions.
    """

    name = "learner"
    version = "1"
    rung: Rung = "learner"

    def begin(self, lane: Lane, rng: np.random.Generator) -> Agent:
        return Uniform().begin(lane, rng)

    def campaign(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> "Training":
        return Training(lane, rng, terms)


@dataclass(slots=True)
class _Step:
    """A step to learn from."""

    cell: str
    rows: Indices
    mark: str
    option: Option
    reward: float = 0.0
    ahead: float = 0.0
    """What the place it led to was taken to be worth."""
    target: float = 0.0


class Training:
    """One learner on one environment."""

    def __init__(self, lane: Lane, rng: np.random.Generator, terms: Terms) -> None:
        self.legal = Legal(lane, rng)
        self.rng = rng
        self.terms = terms
        self.line = Line()
        self.table = Table()
        """By place, without clocks."""
        self.timed = Table()
        """By place and step."""
        self.clocks = Clocks()
        self.volatile: frozenset[str] = frozenset()
        self._listing: Listing | None = None
        self._past: list[_Step] = []
        self._first: dict[str, Leaves] = {}
        self._episodes = self._steps = 0
        self._agent: _Agent | None = None

    @property
    def finished(self) -> bool:
        """Say whether there is no more to learn: never, as far as it knows."""
        return False

    @property
    def progress(self) -> float:
        """Return the share of what may be spent that was spent."""
        spent = max(self._episodes / self.terms.episodes, self._steps / self.terms.steps)
        return min(1.0, spent)

    def begin(self, start: str, *, learning: bool) -> "_Agent":
        """Return the agent of the next episode."""
        chance = SLIP
        if not learning:
            chance = 0.0
        elif self.rng.random() > self.progress / EXPLORING:
            chance = 1.0
        self._agent = _Agent(self, start, chance, learning=learning)
        return self._agent

    def ended(self, result: Result) -> None:
        """Learn from the last episode, and from some steps of earlier ones again."""
        agent = self._agent
        assert agent is not None
        if not agent.learning:
            return
        self._episodes += 1
        self._steps += len(agent.steps)
        if result.score is None or not agent.steps:
            return
        agent.pay(result.reward)
        self.clocks.note(agent.seen)
        self._first.setdefault(agent.start, agent.seen[0])
        self._learn(agent.steps)
        self._past += agent.steps
        for place in self.rng.integers(len(self._past), size=REPLAYED):
            step = self._past[int(place)]
            self.line.learn(step.rows, step.option, step.target)

    def cell(self, leaves: Leaves) -> str:
        """Return where one is, ids and clocks aside."""
        return cell_of(leaves, self.volatile | self.clocks.paths)

    def meet(self, start: str, leaves: Leaves) -> None:
        """Compare a first observation with the one its start had before: what differs is an id."""
        known = self._first.get(start)
        if known is not None:
            found = differing(known, leaves)
            if len(found) <= FEW:
                self.volatile |= found

    def choices(self, seen: Seen) -> Choices:
        """Return the legal actions to choose from."""
        space = self.legal.space
        if self._listing is None or self._listing.space is not space:
            self._listing = Listing(space)
        return Choices(self._listing, seen.observation, self.rng)

    def _learn(self, steps: list[_Step]) -> None:
        target = 0.0
        for place, step in reversed(list(enumerate(steps))):
            last = place + 1 == len(steps)
            ahead = 0.0 if last else TRACE * target + (1 - TRACE) * step.ahead
            target = step.reward + DISCOUNT * ahead
            step.target = target
            self.table.learn(step.cell, step.mark, target)
            self.timed.learn(f"{place}:{step.cell}", step.mark, target)
            self.line.learn(step.rows, step.option, target)


class _Agent:
    """Plays one episode."""

    def __init__(self, training: Training, start: str, chance: float, *, learning: bool) -> None:
        self.start = start
        self.learning = learning
        self.steps: list[_Step] = []
        self.seen: list[Leaves] = []
        self._training = training
        self._chance = chance
        self._errors = 0
        self._best = 0.0
        self._refused: set[str] = set()

    def act(self, seen: Seen) -> Json:
        """Return the next action.

        Raises:
            Finished: everything that is tried is refused.
        """
        training = self._training
        training.legal.look(seen)
        leaves = leaves_of(seen.observation)
        if seen.step == 0:
            training.meet(self.start, leaves)
        self._take_in(seen)
        self.seen.append(leaves)
        state, cell = read_state(leaves), training.cell(leaves)
        choices = training.choices(seen)
        marks = self._marks(choices)
        options = [self._option(state, cell, mark, choices.action(mark)) for mark in marks]
        values = training.table.blend(cell, marks, training.line.values(state.rows, options))
        values = training.timed.blend(f"{len(self.steps)}:{cell}", marks, values)
        if self.steps:
            self.steps[-1].ahead = float(values.max())
        place = self._pick(cell, marks, values)
        self.steps.append(_Step(cell, state.rows, marks[place], options[place]))
        return training.legal.note(choices.action(marks[place]))

    def pay(self, reward: float | None) -> None:
        """Take in what the last step brought."""
        rule = self._training.terms.score
        earned = min(MOST_REWARD, max(-MOST_REWARD, reward or 0.0))
        if rule == "max":
            earned, self._best = max(0.0, earned - self._best), max(self._best, earned)
        self.steps[-1].reward = earned

    def _take_in(self, seen: Seen) -> None:
        if not self.steps:
            return
        refused = seen.error is not None
        self._errors = self._errors + 1 if refused else 0
        if refused:
            self._refused.add(self.steps[-1].mark)
        else:
            self._refused.clear()
        if self._errors >= ERRORS:
            raise Finished
        if self._training.terms.score != "last":
            self.pay(seen.reward)

    def _marks(self, choices: Choices) -> list[str]:
        """Return what to choose from: of many an even choice, refused ones left out."""
        marks = choices.all()
        if len(marks) > MOST_OPTIONS:
            stride = len(marks) / MOST_OPTIONS
            marks = [marks[int(place * stride)] for place in range(MOST_OPTIONS)]
        return [mark for mark in marks if mark not in self._refused] or marks

    def _option(self, state: State, cell: str, mark: str, action: Json) -> Option:
        leaves = leaves_of(action)
        relations = relations_of(state, mark, leaves)
        if any(step.mark == mark for step in self.steps):
            here = any(step.mark == mark and step.cell == cell for step in self.steps)
            relations = np.append(relations, [AGAIN, AGAIN_HERE] if here else [AGAIN])
        return Option(columns_of(mark, leaves), relations)

    def _pick(self, cell: str, marks: list[str], values: Floats) -> int:
        training = self._training
        rng = training.rng
        if rng.random() < self._chance:
            counts = np.array([training.table.count(cell, mark) for mark in marks])
            return int(rng.choice(np.flatnonzero(counts == counts.min())))
        return int(rng.choice(np.flatnonzero(values >= values.max() - 1e-9)))
