"""`noop`: does as little as the environment allows."""

import re

import numpy as np

from probes.actions.enumerate import enumerate_actions
from probes.actions.hints import Hints
from probes.actions.offer import space_of
from probes.actions.sample import minimal, sample
from probes.actions.space import Space
from probes.base import Json, Lane, Rung, Seen, Unplayable

IDLE = ("noop", "nop", "donothing", "nothing", "none", "pass", "stay", "wait", "idle", "skip")
"""Words for doing nothing, the surest first."""
MOST_LISTED = 2_000


class Noop:
    """Plays the action that does nothing.

    In this order: the one the author declares; a listed action whose name says so (`noop`,
    `do_nothing`, `pass`, `stay`, `wait`, `idle`, `skip`); the least legal action (zeros, empty
    texts, first options). Where the server refuses it, a legal one is drawn instead.
    """

    name = "noop"
    version = "1"
    rung: Rung = "null"

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Idle":
        if lane.noop is not None:
            return _Idle(None, lane.noop, rng)
        space = space_of(lane)
        return _Idle(space, _idle_action(space), rng)


class _Idle:
    def __init__(self, space: Space | None, action: Json, rng: np.random.Generator) -> None:
        self._space = space
        self._action = action
        self._rng = rng
        self._hints = Hints()

    def act(self, seen: Seen) -> Json:
        """Return the action that does nothing, another one where it was refused."""
        if seen.error is not None and self._space is not None:
            self._hints = self._hints.seen(seen)
            self._action = sample(self._hints.narrow(self._space), self._rng)
        return self._action


def _idle_action(space: Space) -> Json:
    listed = enumerate_actions(space, MOST_LISTED).actions
    for word in IDLE:
        for action in listed:
            if word in _words(action):
                return action
    try:
        return minimal(space)
    except Unplayable:
        return sample(space, np.random.default_rng(0))


def _words(action: Json) -> set[str]:
    """Return the texts of an action's members without case and punctuation."""
    match action:
        case str():
            return {re.sub(r"[^a-z]", "", action.lower())}
        case dict():
            return {word for member in action.values() for word in _words(member)}
        case list():
            return {word for element in action for word in _words(element)}
    return set()
