"""`reactive`: reads what an observation offers, and takes it."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from probes.actions.hints import words_noted
from probes.actions.legal import Legal
from probes.actions.listed import listed_moves, moves_in_text
from probes.actions.place import placing
from probes.actions.sample import sample
from probes.actions.space import Array, Field, Object, Space, Union, Whole, identity, resolve
from probes.actions.text import texts_of
from probes.base import Json, Lane, Rung, Seen, Unplayable
from probes.reactive.copy import lists, members, shown
from probes.reactive.options import columns, lettered, order_of, place_of, wants
from probes.reactive.sums import sums_in

MOST_IDEAS = 40
"""Texts of an observation that are tried as answers."""
GUESS = 0.1
"""Chance of a random legal action instead of a rule."""
DOUBT = 0.5
"""The same after a step that earned nothing."""


class Reactive:
    """Answers each observation by fixed rules, without memory beyond what it tried on the same one.

    The first of these that gives a legal action: a sum that stands in the text, worked out; the
    order or the place of the most or the least in a list; members of the observation that the
    action has, too; a list of the right length; a listed legal move; a lettered option; then
    quoted texts, numbers, the last line, the whole text. Where the same observation comes again,
    the next one. A random legal action where none does, and now and then: every second time where
    the last step earned nothing.
    """

    name = "reactive"
    version = "1"
    rung: Rung = "reactive"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Reacting":
        told: Json = [lane.action_schema, *(dict(tool) for tool in lane.tools or ())]
        return _Reacting(Legal(lane, rng), rng, texts_of(told))


class _Reacting:
    def __init__(self, legal: Legal, rng: np.random.Generator, told: str) -> None:
        self._legal = legal
        self._rng = rng
        self._told = told
        """What schema and tools say of actions."""
        self._named_words = any(words_noted(one.description) for one in _fields(legal.space))
        """The schema says in words which texts are meant: then nothing else is copied."""
        self._before: Json = None
        self._tried: set[str] = set()

    def act(self, seen: Seen) -> Json:
        """Return the first action that the rules suggest and that was not tried on this sight."""
        self._legal.look(seen)
        if seen.observation != self._before:
            self._tried = set()
            self._before = seen.observation
        earned = seen.step == 0 or (seen.reward is not None and seen.reward > 0)
        if self._rng.random() < (GUESS if earned else DOUBT):
            return self._legal.draw()
        for action in self._ideas(seen.observation):
            mark = identity(action)
            if mark not in self._tried and not self._legal.is_refused(action):
                self._tried.add(mark)
                return self._legal.note(action)
        return self._legal.draw()

    def _ideas(self, observation: Json) -> Iterator[Json]:
        text = texts_of(observation)
        for result in sums_in(text):
            yield from self._holding(result)
        yield from self._ends(observation, text)
        yield from self._named(observation)
        for value in lists(observation):
            yield from self._holding(value)
        if listed_moves(observation) or moves_in_text(text):
            yield self._legal.draw()
        marks = lettered(text)
        for place in self._rng.permutation(len(marks)):
            yield from self._holding(marks[int(place)])
        for idea in islice(shown(observation), 0 if self._named_words else MOST_IDEAS):
            yield from self._holding(idea)

    def _ends(self, observation: Json, text: str) -> Iterator[Json]:
        """Yield the order of a list of numbers, or the place of its most or least."""
        size, count = _slots(self._legal.space)
        asked = wants(text) if len(wants(text)) == 1 else wants(self._told)
        for column in columns(observation):
            for most in asked:
                if size == len(column):
                    yield from self._holding([*order_of(column, most=most)])
                if count == len(column):
                    yield from self._holding(place_of(column, most=most))

    def _named(self, observation: Json) -> Iterator[Json]:
        """Yield the action with all members that the observation has under the same name."""
        space, placed = self._legal.space, False
        for name, value in members(observation).items():
            narrowed = placing(space, value, member=name)
            if narrowed is not None:
                space, placed = narrowed, True
        if placed:
            yield from self._sampled(space)

    def _holding(self, value: Json) -> Iterator[Json]:
        space = placing(self._legal.space, value)
        if space is not None:
            yield from self._sampled(space)

    def _sampled(self, space: Space) -> Iterator[Json]:
        try:
            yield sample(space, self._rng)
        except Unplayable:
            return


def _slots(space: Space) -> tuple[int | None, int | None]:
    """Return how many integers an action lists, and among how many it chooses one.

    None where it does not, or in more than one member.
    """
    root = resolve(space, space.root)
    parts = [one.node for one in root.fields] if isinstance(root, Object) else [root]
    nodes = [resolve(space, part) for part in parts]
    sizes = [one.least for one in nodes if isinstance(one, Array) and _of_integers(space, one)]
    counts = [
        one.high - one.low + 1
        for one in nodes
        if isinstance(one, Whole) and one.low is not None and one.high is not None
    ]
    return (
        sizes[0] if len(sizes) == 1 else None,
        counts[0] if len(counts) == 1 else None,
    )


def _fields(space: Space) -> Iterator[Field]:
    root = resolve(space, space.root)
    for option in root.options if isinstance(root, Union) else (root,):
        found = resolve(space, option)
        yield from found.fields if isinstance(found, Object) else ()


def _of_integers(space: Space, node: Array) -> bool:
    return node.least == node.most and isinstance(resolve(space, node.rest), Whole)
