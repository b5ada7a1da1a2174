"""Held-out evaluation: return and true success on seeds that no training episode has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.learning.wire import Json, Sessions

HELD_OUT = 1 << 30
"""Training seeds lie below, held-out ones from here on."""

Policy = Callable[[Sequence[Json]], list[Json]]
"""Observations in, an action for each out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a policy did on held-out seeds, an entry an episode."""

    success: NDArray[np.float64]
    returns: NDArray[np.float64]
    steps: int


def evaluate(policy: Policy, sessions: Sessions, *, episodes: int) -> Evaluation:
    """Play the first so many held-out seeds, one episode each."""
    waiting = list(range(episodes))
    success, returns = np.zeros(episodes), np.zeros(episodes)
    playing: dict[int, int] = {}
    seen: dict[int, Json] = {}
    steps = 0

    def begin(idle: Sequence[int]) -> None:
        taken = {session: waiting.pop(0) for session, _ in zip(idle, tuple(waiting), strict=False)}
        seeds = [HELD_OUT + episode for episode in taken.values()]
        for session, reply in zip(taken, sessions.reset(list(taken), seeds), strict=True):
            seen[session] = reply.observation
        playing.update(taken)

    begin(range(len(sessions)))
    while playing:
        which = list(playing)
        replies = sessions.step(which, policy([seen[session] for session in which]))
        steps += len(which)
        over = []
        for session, reply in zip(which, replies, strict=True):
            returns[playing[session]] += reply.reward
            seen[session] = reply.observation
            if reply.done:
                over.append(session)
        for session, solved in zip(over, sessions.success(over), strict=True):
            success[playing.pop(session)] = solved
        if over and waiting:
            begin(over)
    return Evaluation(success=success, returns=returns, steps=steps)
