"""Draws legal actions, seeded: the same generator gives the same actions."""

import math
from collections.abc import Sequence

import numpy as np

from probes.actions.fit import fits
from probes.actions.height import height
from probes.actions.space import (
    Array,
    Choice,
    Field,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
    resolve,
)
from probes.base import Json, Unplayable

TRIES = 50
"""Draws after which a space counts as one that nothing can be drawn from."""
SHALLOW = 6
"""Levels below which the shallowest way is taken, so that drawing from recursion ends."""
LONGER = 3
"""Elements that an array without an upper bound gets beyond its least, at most."""
SPREAD = 10
"""Integers drawn from where one bound, or both, are missing: the ones next to the bound or to 0."""
WORDS = ("yes", "no", "a", "b", "c", "0", "1", "2", "hello", "help", "look", "go", "up", "left")
"""What is written where nothing suggests anything better."""
LARGEST = 10_000
"""Elements, members or characters of one part beyond which nothing is drawn."""
IGNORED = frozenset({"metadata"})
"""Optional members that every action of the stock server has, and that mean nothing."""


def sample(space: Space, rng: np.random.Generator) -> Json:
    """Return one legal action.

    Listed values and bounded numbers are drawn uniformly, options of a union too. An integer
    without bounds is from 0 to 9, one with one bound from the ten next to it; a number without
    bounds is from -1 to 1. Optional members are there half the time.

    Raises:
        Unplayable: `TRIES` draws were not legal.
    """
    for _ in range(TRIES):
        action = _Draw(space, rng).value(space.root, 0)
        if fits(space, space.root, action):
            return action
    raise Unplayable(f"no legal action in {TRIES} draws from the action schema")


def minimal(space: Space) -> Json:
    """Return a legal action with as little in it as may be: zeros, empty texts, first options.

    Raises:
        Unplayable: what is least by each part is not legal as a whole, or too large.
    """
    action = _Least(space).value(space.root)
    if not fits(space, space.root, action):
        raise Unplayable("the least action is not legal")
    return action


class _Draw:
    def __init__(self, space: Space, rng: np.random.Generator) -> None:
        self._space = space
        self._rng = rng
        self._left = LARGEST

    def value(self, node: Node, depth: int) -> Json:
        self._left = _one_less(self._left)
        node = resolve(self._space, node)
        match node:
            case Choice(values=values):
                return values[int(self._rng.integers(len(values)))] if values else None
            case Whole():
                return self._whole(node)
            case Real():
                return self._real(node)
            case Text():
                return self._text(node)
            case Array():
                return self._array(node, depth)
            case Object():
                return self._object(node, depth)
            case Union():
                return self._union(node, depth)
            case _:
                return self._pick(WORDS)

    def _pick(self, words: Sequence[str]) -> str:
        return words[int(self._rng.integers(len(words)))]

    def _whole(self, node: Whole) -> int:
        low, high = _ends(node.low, node.high, SPREAD - 1)
        least, most = math.ceil(low / node.step), math.floor(high / node.step)
        if most < least:
            least = most = round(low / node.step)
        room = most - least
        if room < 2**62:
            return (least + int(self._rng.integers(room + 1))) * node.step
        return int(least + room * self._rng.random()) * node.step

    def _real(self, node: Real) -> float:
        if node.low is None and node.high is None:
            low, high = -1.0, 1.0
        else:
            low, high = _ends(node.low, node.high, 1.0)
        part = self._rng.random()
        drawn = float(low * (1 - part) + high * part)
        if node.step is not None and abs(drawn / node.step) < 2**53:
            return round(drawn / node.step) * node.step
        return drawn

    def _text(self, node: Text) -> str:
        if node.patterns:
            written = node.patterns[int(self._rng.integers(len(node.patterns)))]
            return written.write(self._rng)
        groups = [group for group in node.ideas if group] or [WORDS]
        group = groups[int(self._rng.integers(len(groups)))]
        _bound(node.least)
        text = self._pick(group)
        while len(text) < node.least:
            text += self._pick(group) or "a"
        return text if node.most is None else text[: node.most]

    def _array(self, node: Array, depth: int) -> Json:
        _bound(node.least)
        most = max(node.least, len(node.prefix)) + LONGER
        if node.most is not None:
            most = min(most, node.most)
        least = max(node.least, min(1, most))
        if depth >= SHALLOW or math.isinf(height(self._space, node.rest)):
            most = least = node.least
        length = least + int(self._rng.integers(max(0, most - least) + 1))
        kinds = [*node.prefix, *[node.rest] * length][:length]
        elements: list[Json] = []
        for kind in kinds:
            element = self.value(kind, depth + 1)
            if node.unique:
                for _ in range(TRIES):
                    if element not in elements:
                        break
                    element = self.value(kind, depth + 1)
                else:
                    break
            elements.append(element)
        return elements

    def _object(self, node: Object, depth: int) -> Json:
        _bound(node.least)
        chosen = [one for one in node.fields if one.required or self._wanted(one, depth)]
        for one in node.fields:
            if len(chosen) >= node.least:
                break
            if one not in chosen:
                chosen.append(one)
        if node.most is not None and len(chosen) > node.most:
            chosen = sorted(chosen, key=lambda one: not one.required)[: node.most]
        drawn: dict[str, Json] = {one.name: self.value(one.node, depth + 1) for one in chosen}
        number = 0
        while len(drawn) < node.least:
            drawn.setdefault(f"key{number}", self.value(node.rest, depth + 1))
            number += 1
        return drawn

    def _wanted(self, field: Field, depth: int) -> bool:
        if field.name in IGNORED or depth >= SHALLOW:
            return False
        if math.isinf(height(self._space, field.node)):
            return False
        return bool(self._rng.random() < 0.5)

    def _union(self, node: Union, depth: int) -> Json:
        options = node.options if node.meant is None else node.meant
        heights = [height(self._space, option) for option in options]
        if depth >= SHALLOW:
            return self.value(options[int(np.argmin(heights))], depth + 1)
        possible = [o for o, high in zip(options, heights, strict=True) if math.isfinite(high)]
        if not possible:
            return None
        return self.value(possible[int(self._rng.integers(len(possible)))], depth + 1)


def _ends(low: float | None, high: float | None, spread: float) -> tuple[float, float]:
    """Return two ends to draw between: missing ones lie `spread` from the other, or from 0."""
    if low is None and high is None:
        return 0, spread
    if low is None:
        assert high is not None
        return high - spread, high
    return low, (low + spread if high is None else high)


def _one_less(left: int) -> int:
    if left == 0:
        raise Unplayable(f"an action has more than {LARGEST} parts")
    return left - 1


def _bound(least: int) -> None:
    if least > LARGEST:
        raise Unplayable(f"every legal action has a part of {least} elements or more")


class _Least:
    def __init__(self, space: Space) -> None:
        self._space = space
        self._left = LARGEST

    def value(self, node: Node) -> Json:
        self._left = _one_less(self._left)
        node = resolve(self._space, node)
        match node:
            case Choice(values=values):
                return values[0] if values else None
            case Whole(low=low, high=high, step=step):
                near = max(low, 0) if low is not None else 0
                near = min(near, high) if high is not None else near
                return -(-near // step) * step if near >= 0 else near // step * step
            case Real(low=low, high=high):
                near_real = max(low, 0.0) if low is not None else 0.0
                return min(near_real, high) if high is not None else near_real
            case Text(least=least):
                _bound(least)
                return "a" * least
            case Array(prefix=prefix, rest=rest, least=least):
                _bound(least)
                return [self.value(kind) for kind in [*prefix, *[rest] * least][:least]]
            case Object(fields=fields):
                return {one.name: self.value(one.node) for one in fields if one.required}
            case Union():
                options = node.options if node.meant is None else node.meant
                if not options:
                    return None
                return self.value(min(options, key=lambda o: height(self._space, o)))
            case _:
                return ""
