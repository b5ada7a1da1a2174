"""What is selected, in the address bar and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args
from urllib.parse import urlencode

from reports.model import VerdictStatus

PAGE = "page"
"""Part of an address that names the page; without it, the ranking."""

RANKING = "ranking"
ENVIRONMENT = "environment"

HOME = "."
"""Address of the ranking, relative to any page."""

MOST_CHARACTERS = 200

VERDICTS: tuple[VerdictStatus, ...] = get_args(VerdictStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rows of the ranking are shown."""

    verdicts: tuple[VerdictStatus, ...] = ()
    """Empty: all of them."""
    text: str = ""


def filter_of(query: Mapping[str, str]) -> Filter:
    """Return what an address selects; what it cannot mean is left out."""
    named = query.get("verdict", "").split(",")
    return Filter(
        verdicts=tuple(verdict for verdict in VERDICTS if verdict in named),
        text=query.get("text", "")[:MOST_CHARACTERS],
    )


def query_of(chosen: Filter) -> dict[str, str]:
    """Return the part of an address that selects the same again."""
    found = {"verdict": ",".join(chosen.verdicts), "text": chosen.text}
    return {name: value for name, value in found.items() if value}


def environment(run_id: str) -> str:
    """Return the address of a run's page, relative to any page."""
    return f"?{urlencode({PAGE: ENVIRONMENT, 'run': run_id})}"
