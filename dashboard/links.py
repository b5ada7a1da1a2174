"""What is selected, in the address bar and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import get_args
from urllib.parse import urlencode

from reports.advice import Move
from reports.model import VerdictStatus

PAGE = "page"
"""Part of an address that names the page; without it, the ranking."""

RANKING = "ranking"
ENVIRONMENT = "environment"
ROLLOUTS = "rollouts"
COMPARE = "compare"
RUN = "run"

HOME = "."
"""Address of the ranking, relative to any page."""

MOST_CHARACTERS = 200
MOST_PICKED = 2
LONGEST_ID = 64

VERDICTS: tuple[VerdictStatus, ...] = get_args(VerdictStatus)
MOVES: tuple[Move, ...] = get_args(Move)

SORTS = {
    "place": "place",
    "signal": "training value, highest first",
    "per_hour": "signal per hour, highest first",
    "reachability": "solvability, highest first",
    "determinism": "determinism, lowest first",
    "sessions": "sessions, most first",
    "validated": "last validated, newest first",
    "name": "name",
}
"""Ways to order the ranking, and how they are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What of the ranking is shown, and how."""

    verdicts: tuple[VerdictStatus, ...] = ()
    """Empty: all of them."""
    moves: tuple[Move, ...] = ()
    """What to do next; empty: all."""
    tag: str = ""
    """Empty: with any tags or none."""
    text: str = ""
    sort: str = "place"
    leaf: int = 1
    """Which part of a long table, counted from 1."""
    picked: tuple[str, ...] = ()
    """Runs chosen to be compared."""


def filter_of(query: Mapping[str, str]) -> Filter:
    """Return what an address selects; what it cannot mean is left out."""
    verdicts, moves = (query.get(name, "").split(",") for name in ("verdict", "next"))
    leaf = query.get("leaf", "")
    sort = query.get("sort", "")
    picked = dict.fromkeys(id_ for id_ in query.get("pick", "").split(",") if _is_id(id_))
    return Filter(
        verdicts=tuple(verdict for verdict in VERDICTS if verdict in verdicts),
        moves=tuple(move for move in MOVES if move in moves),
        tag=query.get("tag", "")[:MOST_CHARACTERS],
        text=query.get("text", "")[:MOST_CHARACTERS],
        sort=sort if sort in SORTS else "place",
        leaf=int(leaf) if leaf.isdecimal() and leaf.isascii() and 1 <= len(leaf) <= 6 else 1,
        picked=tuple(picked)[:MOST_PICKED],
    )


def query_of(chosen: Filter) -> dict[str, str]:
    """Return the part of an address that selects the same again."""
    found = {
        "verdict": ",".join(chosen.verdicts),
        "next": ",".join(chosen.moves),
        "tag": chosen.tag,
        "text": chosen.text,
        "sort": "" if chosen.sort == "place" else chosen.sort,
        "leaf": "" if chosen.leaf == 1 else str(chosen.leaf),
        "pick": ",".join(chosen.picked),
    }
    return {name: value for name, value in found.items() if value}


def ranking(chosen: Filter, **changed: object) -> str:
    """Return the address of the ranking with a filter, some of it changed."""
    query = query_of(replace(chosen, **changed))  # type: ignore[arg-type]
    return f"?{urlencode(query)}" if query else HOME


def environment(run_id: str) -> str:
    """Return the address of a run's page, relative to any page."""
    return _page(ENVIRONMENT, run=run_id)


def rollouts(run_id: str, episode: int | None = None, beside: int | None = None) -> str:
    """Return the address of an episode of a run, another one beside it where one is named."""
    return _page(ROLLOUTS, run=run_id, episode=episode, beside=beside)


def rollout_named(run_id: str, path: str) -> str:
    """Return the address of an episode by its name."""
    return _page(ROLLOUTS, run=run_id, name=path)


def compare(one: str, other: str) -> str:
    """Return the address of the comparison of two runs."""
    return _page(COMPARE, one=one, other=other)


def start() -> str:
    """Return the address of the page that starts a validation."""
    return _page(RUN)


def _page(name: str, /, **parts: str | int | None) -> str:
    named = {key: value for key, value in parts.items() if value is not None}
    return f"?{urlencode({PAGE: name, **named})}"


def _is_id(text: str) -> bool:
    return text.isascii() and text.isalnum() and len(text) <= LONGEST_ID
