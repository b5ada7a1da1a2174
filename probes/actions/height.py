"""How deep the shallowest legal value is, and whether there is one at all."""

import math
from collections.abc import Mapping

from probes.actions.space import (
    DEEPEST,
    Anything,
    Array,
    Choice,
    Link,
    Node,
    Object,
    Real,
    Space,
    Text,
    Union,
    Whole,
)


def height(space: Space, node: Node) -> float:
    """Return how many levels the shallowest legal value has, infinity where there is none."""
    known = space.heights.get(id(node))
    if known is None:
        known = _height(node, {name: height_of_link(space, name) for name in links_in(node)})
        space.heights[id(node)] = known
    return known


def height_of_link(space: Space, name: str) -> float:
    """Return the height of a named node."""
    mark = id(space.named[name])
    if mark not in space.heights:
        _settle(space)
    return space.heights[mark]


def _settle(space: Space) -> None:
    """Find the heights of all named nodes: the least fixed point, from infinity down."""
    found = dict.fromkeys(space.named, math.inf)
    for _ in range(DEEPEST + 1):
        now = {name: _height(node, found) for name, node in space.named.items()}
        if now == found:
            break
        found = now
    for name, node in space.named.items():
        space.heights[id(node)] = found[name]


def _height(node: Node, of_link: Mapping[str, float]) -> float:
    match node:
        case Anything():
            return 0
        case Choice(values=values):
            return 0 if values else math.inf
        case Link(name=name):
            return 1 + of_link[name]
        case Whole() | Real() | Text():
            return math.inf if _is_empty(node) else 0
        case Union(options=options, meant=meant):
            wanted = options if meant is None else meant
            return min((_height(option, of_link) for option in wanted), default=math.inf)
        case Array():
            return _height_of_array(node, of_link)
        case Object():
            return _height_of_object(node, of_link)


def _is_empty(node: Whole | Real | Text) -> bool:
    match node:
        case Whole(low=low, high=high, step=step):
            return low is not None and high is not None and high // step * step < low
        case Real(low=low, high=high):
            if low is None or high is None:
                return False
            return low > high or (low == high and (node.open_low or node.open_high))
        case Text(least=least, most=most):
            return most is not None and most < least


def _height_of_array(node: Array, of_link: Mapping[str, float]) -> float:
    if node.most is not None and node.most < node.least:
        return math.inf
    needed = [*node.prefix[: node.least], *([node.rest] * (node.least > len(node.prefix)))]
    return 1 + max((_height(element, of_link) for element in needed), default=0)


def _height_of_object(node: Object, of_link: Mapping[str, float]) -> float:
    if node.most is not None and node.most < max(node.least, sum(f.required for f in node.fields)):
        return math.inf
    heights = [(_height(one.node, of_link), one.required) for one in node.fields]
    needed = [found for found, required in heights if required]
    optional = sorted(found for found, required in heights if not required)
    missing = max(0, node.least - len(needed))
    needed += optional[:missing]
    if missing > len(optional) or (needed and math.isinf(max(needed))):
        rest = _height(node.rest, of_link)
        needed = [found for found, required in heights if required]
        needed += [*(found for found in optional[:missing] if math.isfinite(found)), rest]
    return 1 + max(needed, default=0)


def links_in(node: Node) -> set[str]:
    """Return the names that a node refers to, not looking behind them."""
    match node:
        case Link(name=name):
            return {name}
        case Union(options=options):
            inside = options
        case Array(prefix=prefix, rest=rest):
            inside = (*prefix, rest)
        case Object(fields=fields, rest=rest):
            inside = (*(one.node for one in fields), rest)
        case _:
            return set()
    return {name for one in inside for name in links_in(one)}
