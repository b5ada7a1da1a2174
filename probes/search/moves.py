"""Which actions a search tries, and which of them first."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np

from probes.actions.enumerate import enumerate_actions
from probes.actions.fit import fits
from probes.actions.legal import leaves_open
from probes.actions.sample import IGNORED, sample
from probes.actions.space import (
    Array,
    Field,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
    identity,
    resolve,
)
from probes.actions.text import texts_of
from probes.base import Json, Unplayable
from probes.search.aiming import aims, levels
from probes.search.cells import Leaves, as_float

MOST_LISTED = 60
"""Actions that are listed at one place; where there are more, others are drawn."""
MOST_WHOLE = 300
"""Where these are all there are, or all texts to write in the only place for one."""
FIRST_DRAWN = 20
"""Actions that are drawn at one place beside the listed ones, and again where all were tried."""
MOST_DRAWN = 200
FEW = 5
"""Actions that are listed where a better one may lie between any two."""
TRIES = 5
MOST_COPIED = 30
DEEPEST = 8
DIGITS = 9
"""Decimal places of a number that is aimed at."""
LONGEST_TOLD = 1_000
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,9}(?!\w|\.\d)")
_BETWEEN = re.compile(r",|;|\bor\b|\band\b")


class Listing:
    """What is to be tried under one set of legal actions, whatever the place."""

    def __init__(self, space: Space) -> None:
        self.space = space
        described = list(described_texts(space))
        listed = enumerate_actions(space, MOST_WHOLE if writes_one_text(space) else MOST_LISTED)
        if not listed.whole and is_small(space):
            listed = enumerate_actions(space, MOST_WHOLE)
        self.whole = listed.whole and not has_optional(space)
        """These are all there are."""
        self.continuous = has_fractions(space)
        slot = _only_slot(space)
        self.one_number = slot is not None and isinstance(resolve(space, slot.node), Real)
        self.small = is_small(space)
        self.actions = {identity(action): action for action in (*described, *listed.actions)}


class Choices:
    """The actions to try at one place."""

    def __init__(
        self,
        listing: Listing,
        observation: Json,
        rng: np.random.Generator,
        proposed: Sequence[Json] = (),
    ) -> None:
        self._listing = listing
        self._rng = rng
        self._drawn = 0
        self._numbers = [] if listing.small else numbers_to_write(observation)
        self.whole = listing.whole
        self.one_number = listing.one_number
        """An action is one number that need not be whole."""
        self.continuous = listing.continuous
        """Between any two actions there may be a better one."""
        self._known = dict(islice(listing.actions.items(), FEW if self.continuous else None))
        if not self.whole:
            found = islice(copies(listing.space, observation), MOST_COPIED)
            self._known = {identity(action): action for action in found} | self._known
            if not self.continuous:
                self._draw(FIRST_DRAWN)
        self.proposed = {identity(action): action for action in proposed}
        """Actions worth trying first, the likeliest first."""
        self._known = self.proposed | self._known
        self._left = dict.fromkeys(self._known)
        self.tried: set[str] = set()

    @property
    def exhausted(self) -> bool:
        """Say whether all there are were tried."""
        return self.whole and not self._left

    @property
    def left(self) -> list[str]:
        """Return the marks of what was not tried of all that is known here."""
        return list(self._left)

    def untried(self) -> list[str]:
        """Return the marks of what was not tried yet; more is drawn where all was."""
        if not self._left and not self.whole and not self.continuous:
            self.draw()
        return list(self._left)

    def draw(self) -> None:
        """Draw some more, as long as not too many were drawn."""
        if self._drawn < MOST_DRAWN:
            self._left |= dict.fromkeys(sorted(self._draw(FIRST_DRAWN) - self.tried))

    def all(self) -> list[str]:
        """Return the marks of all that is known here."""
        return list(self._known)

    def action(self, mark: str) -> Json:
        """Return the action of a mark."""
        return self._known[mark]

    def try_(self, mark: str) -> None:
        """Take note that an action was tried."""
        self._left.pop(mark, None)
        self.tried.add(mark)

    def retry(self, mark: str) -> None:
        """Have an action tried once more, where it is one of those known here."""
        if mark in self._known:
            self.tried.discard(mark)
            self._left[mark] = None

    def take(self, action: Json) -> Json:
        """Take note of an action from elsewhere as tried, and return it."""
        self._known.setdefault(identity(action), action)
        self.try_(identity(action))
        return action

    def offer(self, actions: Iterable[Json]) -> None:
        """Put actions from elsewhere before the others."""
        offered = {identity(action): action for action in actions}
        self._known = offered | self._known
        self._left = dict.fromkeys(offered) | self._left

    def propose(self, actions: Iterable[Json]) -> None:
        """Put other actions in the place of those proposed so far."""
        self.proposed = {identity(action): action for action in actions}
        self._known = self.proposed | self._known
        fresh = (mark for mark in self.proposed if mark not in self.tried)
        self._left = dict.fromkeys(fresh) | self._left

    def between(
        self,
        tried: Sequence[tuple[Json, float]],
        after: Sequence[tuple[Json, Leaves]],
        here: Leaves,
    ) -> Json:
        """Return an action that may pay more than the best of those tried, and was not.

        Only where an action is one number; None where it is not, or nothing lies between.

        Args:
            tried: Actions and what each paid.
            after: Actions and what was seen after each.
            here: What is seen now.
        """
        slot = _only_slot(self._listing.space)
        if slot is None or not isinstance(resolve(self._listing.space, slot.node), Real):
            return None
        name = slot.name
        numbers = chain(
            levels([(_number(action, name), seen) for action, seen in after], here),
            aims([(_number(action, name), reward) for action, reward in tried]),
        )
        for number in numbers:
            moved: Json = {name: round(number, DIGITS)}
            fresh = identity(moved) not in self.tried
            if fresh and fits(self._listing.space, self._listing.space.root, moved):
                self._known.setdefault(identity(moved), moved)
                return moved
        return None

    def fresh(self, actions: Iterable[Json]) -> Json:
        """Return the first of some actions that is legal and was not tried, None without one."""
        space = self._listing.space
        for action in actions:
            if identity(action) not in self.tried and fits(space, space.root, action):
                return action
        return None

    def near(self, action: Json, width: float) -> Json:
        """Return an action close to one, its fractions moved; itself where that is not legal."""
        space = self._listing.space
        for _ in range(TRIES):
            moved = _moved(action, self._rng, width, 0)
            if fits(space, space.root, moved):
                self._known.setdefault(identity(moved), moved)
                return moved
        return action

    def _draw(self, most: int) -> set[str]:
        space = self._listing.space
        actions = drawn(space, self._rng, most)
        if self._numbers:
            filled = (_filled(action, self._numbers, self._rng, 0) for action in actions)
            actions = [
                new if fits(space, space.root, new) else old
                for new, old in zip(filled, actions, strict=True)
            ]
        found = {identity(action): action for action in actions}
        self._drawn += most
        self._known = found | self._known if self._numbers else self._known | found
        return set(found)


def _number(action: Json, name: str) -> float:
    return as_float(action.get(name)) if isinstance(action, dict) else 0.0


def has_fractions(space: Space) -> bool:
    """Say whether an action has numbers that need not be whole."""
    return _holds_fractions(space, space.root, 0)


def _holds_fractions(space: Space, node: Node, depth: int) -> bool:
    if depth > DEEPEST:
        return False
    match node := resolve(space, node):
        case Real():
            return True
        case Object(fields=fields):
            kinds: Iterable[Node] = (one.node for one in fields if one.required)
        case Union(options=options):
            kinds = options
        case Array(prefix=prefix, rest=rest):
            kinds = (*prefix, rest)
        case _:
            return False
    return any(_holds_fractions(space, kind, depth + 1) for kind in kinds)


def has_optional(space: Space) -> bool:
    """Say whether actions have optional members that mean something."""
    return any(_optional(space, node, 0) for node in (space.root, *space.named.values()))


def _optional(space: Space, node: Node, depth: int) -> bool:
    if depth > DEEPEST:
        return False
    match node := resolve(space, node):
        case Object(fields=fields):
            return any(
                one.name not in IGNORED
                and (not one.required or _optional(space, one.node, depth + 1))
                for one in fields
            )
        case Union(options=options):
            return any(_optional(space, option, depth + 1) for option in options)
        case Array(prefix=prefix, rest=rest):
            return any(_optional(space, kind, depth + 1) for kind in (*prefix, rest))
    return False


def drawn(space: Space, rng: np.random.Generator, most: int) -> list[Json]:
    """Return actions drawn at random."""
    try:
        return [sample(space, rng) for _ in range(most)]
    except Unplayable:
        return []


def copies(space: Space, observation: Json) -> Iterator[Json]:
    """Yield actions whose numbers, or lists of numbers, are those of the observation."""
    numbers = list(dict.fromkeys(islice(_numbers(observation, 0), MOST_COPIED)))
    lists = list(islice(_lists(observation, 0), MOST_COPIED))
    slot = _only_slot(space)
    if slot is None:
        return
    kind = resolve(space, slot.node)
    found: Sequence[Json] = ()
    if isinstance(kind, Array):
        found = lists
    elif isinstance(kind, Real | Whole):
        found = numbers
    for value in found:
        action: Json = {slot.name: value}
        if fits(space, space.root, action):
            yield action


def writes_one_text(space: Space) -> bool:
    """Say whether an action is one text to be written."""
    slot = _only_slot(space)
    return slot is not None and isinstance(resolve(space, slot.node), Text)


def is_small(space: Space) -> bool:
    """Say whether nothing in an action is without limit, so that all may be listed."""
    return not leaves_open(space)


def _only_slot(space: Space) -> Field | None:
    """Return the only required member of an action, None where there is not just one."""
    root = resolve(space, space.root)
    needed = [one for one in root.fields if one.required] if isinstance(root, Object) else []
    return needed[0] if len(needed) == 1 else None


def described_texts(space: Space) -> Iterator[Json]:
    """Yield actions that write what the description of the only text names, item by item."""
    slot = _only_slot(space)
    if slot is None or not isinstance(resolve(space, slot.node), Text):
        return
    _, _, listed = slot.description[:LONGEST_TOLD].partition(":")
    for item in _BETWEEN.split(listed)[:MOST_COPIED]:
        action: Json = {slot.name: item.strip(" .'\"`")}
        if item.strip() and fits(space, space.root, action):
            yield action


def _numbers(value: Json, depth: int) -> Iterator[Json]:
    if isinstance(value, bool) or depth > DEEPEST:
        return
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _numbers(member, depth + 1)


def _lists(value: Json, depth: int) -> Iterator[Json]:
    if depth > DEEPEST or not isinstance(value, dict | list):
        return
    if isinstance(value, list) and value and all(_is_number(one) for one in value):
        yield value
    for member in value.values() if isinstance(value, dict) else value:
        yield from _lists(member, depth + 1)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers_to_write(observation: Json) -> list[Json]:
    """Return numbers of the observation; those that its texts name come as often as all others."""
    shown = list(dict.fromkeys(islice(_numbers(observation, 0), MOST_COPIED)))
    written = _NUMBER.findall(texts_of(observation))[:MOST_COPIED]
    named: list[Json] = [int(one) for one in dict.fromkeys(written) if int(one) not in shown]
    return [*shown, *named * max(1, len(shown) // max(1, len(named)))]


def _filled(value: Json, numbers: Sequence[Json], rng: np.random.Generator, depth: int) -> Json:
    """Return an action with half of its numbers replaced."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return numbers[int(rng.integers(len(numbers)))] if rng.random() < 0.5 else value
    if depth > DEEPEST:
        return value
    if isinstance(value, list):
        return [_filled(one, numbers, rng, depth + 1) for one in value]
    if isinstance(value, dict):
        return {name: _filled(one, numbers, rng, depth + 1) for name, one in value.items()}
    return value


def _moved(value: Json, rng: np.random.Generator, width: float, depth: int) -> Json:
    if depth > DEEPEST:
        return value
    if isinstance(value, float):
        return float(value + rng.normal() * width * max(1.0, abs(value)))
    if isinstance(value, list):
        return [_moved(one, rng, width, depth + 1) for one in value]
    if isinstance(value, dict):
        return {name: _moved(one, rng, width, depth + 1) for name, one in value.items()}
    return value
