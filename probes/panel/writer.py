"""What the attackers that write texts share: one episode of writing, and of closing it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from probes.actions.hints import is_refused
from probes.actions.legal import Legal
from probes.base import Finished, Json, Lane, Seen
from probes.panel.closing import closings

MOST_ACTIONS = 12
"""Actions of an episode, so that an endless one does not go on with the same."""
MOST_REFUSED = 3
"""Refusals in a row after which an attack is given up: what it sends is not taken."""
CLOSE_EACH = 3
"""Every so many actions one is sent that ends the episode, where there is one."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What is to be written now."""

    texts: Sequence[str]
    listed: Sequence[str] = ()
    """Elements of a list of texts, all of them at once."""


Say: TypeAlias = Callable[[Seen], Saying]


class Writer:
    """Writes what an attack says wherever a free text is taken, and closes now and then.

    Raises:
        Unplayable: no action takes a free text.
    """

    def __init__(self, lane: Lane, rng: np.random.Generator, say: Say) -> None:
        self._legal = Legal(lane, rng)
        self._legal.write(("a" * 64,))  # says at once where no text is wanted
        self._closings = closings(self._legal.space)
        self._say = say
        self._refused = 0

    def act(self, seen: Seen) -> Json:
        """Return the next action of the attack.

        Raises:
            Finished: it was tried often enough, or is not taken.
        """
        self._legal.look(seen)
        self._refused = self._refused + 1 if is_refused(seen) else 0
        if seen.step == MOST_ACTIONS or self._refused == MOST_REFUSED:
            raise Finished
        if self._closings and seen.step % CLOSE_EACH == CLOSE_EACH - 1:
            place = seen.step // CLOSE_EACH % len(self._closings)
            return self._legal.note(self._closings[place])
        said = self._say(seen)
        return self._legal.write(said.texts, listed=said.listed)
