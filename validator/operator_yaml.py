"""Parses YAML of the operator or an author: aliases may not make a small file a large value."""

from typing import Any

MOST_VALUES = 2**19
"""Values with every alias written out: a file of 1 MiB without aliases has hardly more."""


def composed(raw: bytes) -> Any:
    """Return the top node of a document, None where there is none.

    Aliases share their nodes, so that whoever walks these visits at most `MOST_VALUES`.

    Raises:
        NoYaml: it is none, or is larger than that when written out, or holds itself.
    """
    import yaml

    try:
        top = yaml.compose(raw, Loader=yaml.SafeLoader)
        size = _written_out(top, {}) if top is not None else 0
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        raise NoYaml(fault) from fault
    if size > MOST_VALUES:
        raise NoYaml(None, "has aliases that make more of it than is read")
    return top


def parsed(raw: bytes) -> object:
    """Return the values of a document, None where there is none.

    Raises:
        NoYaml: it is none that is read.
    """
    import yaml

    top = composed(raw)
    if top is None:
        return None
    try:
        return yaml.SafeLoader("").construct_document(top)
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        raise NoYaml(fault) from fault


class NoYaml(ValueError):
    """A document is no YAML, or none that is read; its text says which, and on what line."""

    def __init__(self, fault: Exception | None, what: str = "is no YAML") -> None:
        mark = getattr(fault, "problem_mark", None)
        super().__init__(f"{what} at line {mark.line + 1}" if mark else what)


def _written_out(node: Any, known: dict[int, int]) -> int:
    """Return how many values a node stands for, those behind aliases counted each time."""
    found = known.get(id(node))
    if found is not None:
        return found
    known[id(node)] = MOST_VALUES + 1  # until it is known: what holds itself has no end
    inner = node.value if isinstance(node.value, list) else []
    total = 1 + sum(
        _written_out(one, known)
        for item in inner
        for one in (item if isinstance(item, tuple) else (item,))
    )
    known[id(node)] = total
    return total
