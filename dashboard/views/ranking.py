"""Every environment on one page, best first."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dashboard import data, links
from dashboard.links import Filter
from dashboard.panels.ranking import leaves, meaning, ranking
from dashboard.serve import tracking_uri
from dashboard.signs import VERDICTS
from dashboard.views import notices
from reports import numbers
from reports.markup import element
from reports.model import VerdictStatus
from reports.safe import plain
from reports.standing import PER_HOUR, VALUE
from reports.tracking.catchup import Ranking
from reports.tracking.entry import Entry
from reports.tracking.export import csv_ranking, parquet_ranking
from reports.tracking.store import place

LEGEND = (
    "Ranked by verdict, then by the lower end of the interval of what training is expected to "
    "gain, so that few episodes do not win by luck; where no learner measured that, after those, "
    "by the lower end of the signal's. Intervals are of 95%."
)
LEAF_ROWS = 25
LOOK_SECONDS = 5
ANY = ""
"""Choice of a tag that leaves nothing out."""
MOST_TAGS = 200
PARQUET = "application/vnd.apache.parquet"


def show() -> None:
    """Draw the page."""
    st.html(element("h1", "Which environments are worth training on?", class_="ea-title"))
    found = data.ranking()
    if not found.entries:
        if found.fault:
            notices.store_unreadable(found.fault)
        else:
            notices.nothing_yet()
        return
    start = element("a", "Validate another", href=links.start(), target="_self")
    st.html(element("p", _where(found), ". ", start, class_="ea-small", role="status"))
    if found.fault:
        notices.store_silent(found.fault)
    chosen = _choose(_tags(found.entries))
    ranked = list(enumerate(found.entries, start=1))
    shown = _sorted([one for one in ranked if _matches(one[1], chosen)], chosen.sort)
    if not shown:
        notices.no_match()
        return
    _table(shown, chosen, len(ranked))
    _take_away(shown)
    st.html(element("p", LEGEND, class_="ea-small"))
    st.html(meaning())
    _follow(found.version)


def _where(found: Ranking) -> str:
    counted = numbers.count(len(found.entries), "environments")
    more = ": more is being read" if found.reading and len(found.entries) > LEAF_ROWS else ""
    return f"{counted} in {place(tracking_uri())}{more}"


def _table(shown: Sequence[tuple[int, Entry]], chosen: Filter, all_rows: int) -> None:
    count = -(-len(shown) // LEAF_ROWS)
    chosen = replace(chosen, leaf=min(chosen.leaf, count))
    first = (chosen.leaf - 1) * LEAF_ROWS
    part = shown[first : first + LEAF_ROWS]
    if len(shown) < all_rows or count > 1:
        st.html(
            element(
                "p",
                f"Shown: {first + 1:,} to {first + len(part):,} of {len(shown):,} that match, "
                f"of {all_rows:,}. ",
                leaves(chosen, count),
                class_="ea-small",
            )
        )
    st.html(ranking(((place, entry.row, entry.trend) for place, entry in part), chosen))
    if count > 1:
        st.html(leaves(chosen, count))


def _tags(entries: Sequence[Entry]) -> list[str]:
    """Return the tags that environments have, the most frequent first."""
    return [tag for tag, _ in Counter(tag for one in entries for tag in one.tags).most_common()]


def _choose(tags: Sequence[str]) -> Filter:
    """Let the reader filter and sort; the choice is kept in the address."""
    asked = links.filter_of(st.query_params)
    known = list(dict.fromkeys([ANY, asked.tag, *tags[:MOST_TAGS]]))
    left, middle = st.columns([3, 11], vertical_alignment="bottom")
    verdicts = left.pills(
        "Verdict", links.VERDICTS, selection_mode="multi", default=asked.verdicts,
        format_func=_named, key="verdicts",
    )  # fmt: skip
    moves = middle.pills(
        "What to do next", links.MOVES, selection_mode="multi", default=asked.moves, key="moves"
    )
    right, last, *between = st.columns([6, 4, 4] if len(known) > 1 else [7, 4])
    text = right.text_input(
        "Search", value=asked.text, key="text", max_chars=links.MOST_CHARACTERS,
        placeholder="Name, address, tag or reason",
    )  # fmt: skip
    tag = ANY
    for cell in between:
        tag = cell.selectbox(
            "Tag", known, index=known.index(asked.tag), format_func=_of_tag, key="tag"
        )
    sort = last.selectbox(
        "Sort by", list(links.SORTS), index=list(links.SORTS).index(asked.sort),
        format_func=links.SORTS.__getitem__, key="sort",
    )  # fmt: skip
    chosen = replace(
        asked,
        verdicts=tuple(one for one in links.VERDICTS if one in verdicts),
        moves=tuple(one for one in links.MOVES if one in moves),
        tag=tag,
        text=text,
        sort=sort,
    )
    if chosen != asked:
        chosen = replace(chosen, leaf=1)
        st.query_params.from_dict(links.query_of(chosen))
    return chosen


def _take_away(shown: Sequence[tuple[int, Entry]]) -> None:
    left, right, run, _ = st.columns([1, 1, 1, 2])
    for where, label, made, name, kind in (
        (left, "Table as CSV", csv_ranking, "ranking.csv", "text/csv"),
        (right, "Table as Parquet", parquet_ranking, "ranking.parquet", PARQUET),
    ):
        where.download_button(label, partial(made, shown), name, kind, on_click="ignore")
    if run.button("Read the store again", help="Throws the local index away and makes it anew"):
        data.store().again()
        st.rerun()


@st.fragment(run_every=LOOK_SECONDS)
def _follow(version: int) -> None:
    """Draw the page anew when the store has something new."""
    if data.ranking().version != version:
        st.rerun()


def _of_tag(tag: str) -> str:
    return plain(tag, 40) if tag else "any"


def _named(verdict: VerdictStatus) -> str:
    return f"{VERDICTS[verdict].mark} {verdict}"


def _matches(entry: Entry, chosen: Filter) -> bool:
    if chosen.verdicts and entry.verdict not in chosen.verdicts:
        return False
    if chosen.moves and not entry.advice.casefold().startswith(chosen.moves):
        return False
    if chosen.tag and chosen.tag not in entry.tags:
        return False
    return all(word in entry.words for word in chosen.text.casefold().split())


def _worth(one: Entry) -> float | None:
    """Return what training gains, else the signal: at least below all whose gain is known."""
    value, signal = one.number(VALUE), one.number("signal")
    return value if value is not None or signal is None else signal - 2


def _sorted(found: list[tuple[int, Entry]], sort: str) -> list[tuple[int, Entry]]:
    """Return rows in the order asked for; what was not measured comes last."""
    if sort in ("name", "validated"):
        fact, backwards = {"name": ("name", False), "validated": ("validated_at", True)}[sort]
        return sorted(found, key=lambda one: str(one[1].facts[fact]), reverse=backwards)
    if sort == "sessions":
        return sorted(found, key=lambda one: -int(one[1].facts["sessions_served"]))
    numbered: dict[str, Callable[[Entry], float | None]] = {
        "signal": _worth,
        "per_hour": lambda one: one.number(PER_HOUR),
        "reachability": lambda one: one.number("reachability"),
        "determinism": lambda one: one.number("determinism"),
    }
    if sort not in numbered:
        return found
    read, sign = numbered[sort], 1 if sort == "determinism" else -1

    def least(one: tuple[int, Entry]) -> tuple[bool, float]:
        value = read(one[1])
        return (value is None, 0.0 if value is None else sign * value)

    return sorted(found, key=least)
