"""What is legal under two descriptions at once."""

import math
from fractions import Fraction

from probes.actions.fit import fits
from probes.actions.height import links_in
from probes.actions.space import (
    NEVER,
    Anything,
    Array,
    Choice,
    Field,
    Link,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
)
from probes.base import Unplayable

MOST_MEETINGS = 20_000
"""Pairs of nodes that one schema may ask for."""


LARGEST_STEP = 2**1000
"""Beyond it a common multiple is none."""


class Meeting:
    """Intersects nodes of a space that is still being read.

    What a link stands for may not be known yet, so a pair with a link in it becomes a new link,
    and `finish` finds what it stands for once everything else is there.
    """

    def __init__(self, named: dict[str, Node], unread: set[str]) -> None:
        self._named = named
        self._unread = unread
        self._waiting: list[tuple[str, Node, Node]] = []
        self._known: dict[tuple[str, str], Link] = {}
        self._met = 0

    def meet(self, a: Node, b: Node) -> Node:
        """Return what fits both.

        Raises:
            Unplayable: the schema asks for more than `MOST_MEETINGS` pairs.
        """
        self._met += 1
        if self._met > MOST_MEETINGS:
            raise Unplayable("the action schema combines too many alternatives")
        if isinstance(a, Anything) or isinstance(b, Anything):
            return b if isinstance(a, Anything) else a
        if isinstance(a, Link) or isinstance(b, Link):
            return self._later(a, b)
        if isinstance(a, Union):
            return self._of_union(a, b)
        if isinstance(b, Union):
            return self._of_union(b, a)
        if isinstance(a, Choice):
            return self._of_choice(a, b)
        if isinstance(b, Choice):
            return self._of_choice(b, a)
        return self._of_same_kind(a, b)

    def finish(self) -> None:
        """Find what the links made on the way stand for."""
        while self._waiting:
            name, a, b = self._waiting.pop()
            self._named[name] = self.meet(self._behind(a), self._behind(b))

    def _later(self, a: Node, b: Node) -> Node:
        if a == b:
            return a
        pair = None
        if isinstance(a, Link) and isinstance(b, Link):
            pair = min(a.name, b.name), max(a.name, b.name)
            if pair in self._known:
                return self._known[pair]
        link = Link(f"both {self._met}")
        self._waiting.append((link.name, a, b))
        if pair is not None:
            self._known[pair] = link
        return link

    def _behind(self, node: Node) -> Node:
        """Return the node behind a link, which may itself still be waiting."""
        passed: set[str] = set()
        while isinstance(node, Link):
            if node.name in passed:
                return NEVER
            passed.add(node.name)
            if node.name not in self._named:
                self._hurry(node.name)
            node = self._named[node.name]
        return node

    def _hurry(self, name: str) -> None:
        for index, (waiting, a, b) in enumerate(self._waiting):
            if waiting == name:
                del self._waiting[index]
                self._named[name] = NEVER
                self._named[name] = self.meet(self._behind(a), self._behind(b))
                return
        self._named[name] = NEVER

    def _of_union(self, union: Union, other: Node) -> Node:
        options = [(option, self.meet(option, other)) for option in union.options]
        kept = tuple(both for _, both in options if both != NEVER)
        if len(kept) < 2:
            return kept[0] if kept else NEVER
        meant = None
        if union.meant is not None:
            wanted = {id(one) for one in union.meant}
            meant = tuple(both for one, both in options if id(one) in wanted and both != NEVER)
        return Union(options=kept, exclusive=union.exclusive, meant=meant or None)

    def _of_choice(self, choice: Choice, other: Node) -> Node:
        if links_in(other):
            self._unread.add("$ref")
            return choice
        space = Space(root=other)
        kept = tuple(value for value in choice.values if fits(space, other, value))
        return Choice(kept) if kept else NEVER

    def _of_same_kind(self, a: Node, b: Node) -> Node:
        match a, b:
            case Object(), Object():
                return self._of_objects(a, b)
            case Array(), Array():
                return self._of_arrays(a, b)
            case Text(), Text():
                return Text(
                    least=max(a.least, b.least),
                    most=_least_of(a.most, b.most),
                    patterns=a.patterns + b.patterns,
                    format=a.format or b.format,
                )
            case ((Whole() | Real()), (Whole() | Real())):
                return meet_numbers(a, b)
        return NEVER

    def _of_objects(self, a: Object, b: Object) -> Node:
        in_a = {one.name: one for one in a.fields}
        in_b = {one.name: one for one in b.fields}
        fields = []
        for name in dict.fromkeys((*in_a, *in_b)):
            one = in_a.get(name) or in_b[name]
            two = in_b.get(name, one)
            fields.append(
                Field(
                    name=name,
                    node=self.meet(
                        in_a[name].node if name in in_a else a.rest,
                        in_b[name].node if name in in_b else b.rest,
                    ),
                    required=one.required or two.required,
                    description=one.description or two.description,
                    default=one.default if one.default is not None else two.default,
                )
            )
        return Object(
            fields=tuple(fields),
            rest=self.meet(a.rest, b.rest),
            least=max(a.least, b.least),
            most=_least_of(a.most, b.most),
        )

    def _of_arrays(self, a: Array, b: Array) -> Node:
        longest = max(len(a.prefix), len(b.prefix))
        prefix = []
        for place in range(longest):
            one = a.prefix[place] if place < len(a.prefix) else a.rest
            two = b.prefix[place] if place < len(b.prefix) else b.rest
            prefix.append(self.meet(one, two))
        return Array(
            prefix=tuple(prefix),
            rest=self.meet(a.rest, b.rest),
            least=max(a.least, b.least),
            most=_least_of(a.most, b.most),
            unique=a.unique or b.unique,
        )


def meet_numbers(a: Whole | Real, b: Whole | Real) -> Whole | Real:
    """Return what fits two descriptions of a number."""
    match a, b:
        case Whole(), Whole() if math.lcm(a.step, b.step) > LARGEST_STEP:
            return Whole(low=1, high=0)
        case Whole(), Whole():
            return Whole(
                low=_most_of(a.low, b.low),
                high=_least_of(a.high, b.high),
                step=math.lcm(a.step, b.step),
            )
        case Real(), Real():
            low, open_low = max(_edge(a.low, a.open_low, -1), _edge(b.low, b.open_low, -1))
            high, open_high = min(_edge(a.high, a.open_high, 1), _edge(b.high, b.open_high, 1))
            return Real(
                low=None if math.isinf(low) else low,
                high=None if math.isinf(high) else high,
                open_low=bool(open_low),
                open_high=not open_high and not math.isinf(high),
                step=_common_step(a.step, b.step),
            )
        case Whole(), Real():
            return meet_numbers(a, whole_of(b))
        case _:
            return meet_numbers(b, a)


def whole_of(real: Real) -> Whole:
    """Return the integers among some numbers."""
    low = high = None
    if real.low is not None:
        low = math.floor(real.low) + 1 if real.open_low else math.ceil(real.low)
    if real.high is not None:
        high = math.ceil(real.high) - 1 if real.open_high else math.floor(real.high)
    step = 1 if real.step is None else Fraction(repr(real.step)).numerator
    return Whole(low=low, high=high, step=step)


def narrowed(node: Whole | Real, *, low: float | None, high: float | None) -> Whole | Real:
    """Return the part of some numbers within a closed range."""
    if isinstance(node, Real):
        return meet_numbers(node, Real(low=low, high=high))
    return meet_numbers(node, whole_of(Real(low=low, high=high)))


def _edge(bound: float | None, is_open: bool, side: int) -> tuple[float, bool]:
    """Return a bound so that the stricter one is greater (below) or smaller (above)."""
    if bound is None:
        return side * math.inf, side > 0
    return bound, is_open if side < 0 else not is_open


def _common_step(a: float | None, b: float | None) -> float | None:
    if a is None or b is None or a == b:
        return a if b is None else b
    one, two = Fraction(repr(a)), Fraction(repr(b))
    return math.lcm(one.numerator, two.numerator) / math.gcd(one.denominator, two.denominator)


def _most_of(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else max(a, b)


def _least_of(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else min(a, b)
