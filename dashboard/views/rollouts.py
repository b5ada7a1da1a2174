"""Step through any stored episode, another one beside it, the first difference marked."""

from collections.abc import Sequence

import streamlit as st

from dashboard import data, links
from dashboard.panels import rollout
from dashboard.views import notices
from reports import numbers
from reports.episodes import Episodes, Move, Told, first_difference, parts_that_differ
from reports.markup import element
from reports.safe import plain
from reports.tracking.store import ReportMissing, StoreError

MOST_CHOICES = 1_000
NONE = -1


def show() -> None:
    """Draw the episodes that the address names, and let the reader choose others."""
    run_id = st.query_params.get("run", "")
    try:
        row = data.row(run_id)
        if row is None:
            notices.no_run(run_id)
            return
        back = element("a", "← Its report", href=links.environment(run_id), target="_self")
        st.html(element("p", back, class_="ea-back"))
        title = f"Episodes of {plain(row.standing.name or 'unnamed', 80)}"
        st.html(element("h1", title, class_="ea-title"))
        _episodes(data.episodes(run_id), run_id)
    except ReportMissing as fault:
        notices.episodes_missing(str(fault))
    except StoreError as fault:
        notices.store_unreadable(str(fault))


def _episodes(found: Episodes, run_id: str) -> None:
    if not found.told:
        notices.episodes_missing("No episode was played.")
        return
    one, other = _choose(found)
    if one is None:
        notices.no_match()
        return
    try:
        moves = found.moves(one.place)
        beside = found.moves(other.place) if other is not None else None
    except ValueError as fault:
        notices.episodes_missing(str(fault))
        return
    parted = None if beside is None else first_difference(moves, beside)
    number = _step(max(len(moves), len(beside or [])), parted)
    query = {links.PAGE: links.ROLLOUTS, "run": run_id, "episode": f"{one.place}"}
    if other is not None:
        query |= {"beside": f"{other.place}"}
        _say(parted, moves, beside or [])
    st.query_params.from_dict({**query, "step": f"{number}"})
    _show(one, other, moves, beside, number)


def _show(
    one: Told, other: Told | None, moves: Sequence[Move], beside: Sequence[Move] | None, number: int
) -> None:
    mine = _at(moves, number)
    if other is None or beside is None:
        st.html(rollout.told(one))
        st.html(rollout.step(mine))
        return
    theirs = _at(beside, number)
    differs = parts_that_differ(mine, theirs)
    left, right = st.columns(2, gap="medium")
    for place, who, what in ((left, one, mine), (right, other, theirs)):
        with place:
            st.html(rollout.told(who))
            st.html(rollout.step(what, differs))


def _say(parted: int | None, moves: Sequence[Move], beside: Sequence[Move]) -> None:
    steps = min(len(moves), len(beside)) - 1
    words = (
        f"No difference in {numbers.count(steps, 'steps')}."
        if parted is None
        else f"The first difference is at {'reset' if parted == 0 else f'step {parted}'}."
    )
    st.html(element("p", words, class_="ea-caption", role="status"))


def _choose(found: Episodes) -> tuple[Told | None, Told | None]:
    """Let the reader choose an episode, and another one to be shown beside it."""
    named = found.find(st.query_params.get("name", ""))
    asked = named or found.at(_whole("episode", 0)) or found.told[0]
    probes = ["all", *dict.fromkeys(one.probe for one in found.told)]
    left, middle, right = st.columns([1, 2, 2], vertical_alignment="bottom")
    probe = left.selectbox("Probe", probes, key="probe", format_func=lambda one: plain(one, 40))
    shown = [one for one in found.told if probe in ("all", one.probe)][:MOST_CHOICES]
    if probe == "all" and asked not in shown:
        shown = [asked, *shown]
    labels = {one.place: _label(one) for one in found.told}
    places = [one.place for one in shown]
    index = places.index(asked.place) if asked.place in places else 0
    one = found.at(middle.selectbox("Episode", places, index=index, format_func=labels.__getitem__))
    if one is None:
        return None, None
    others = [NONE, *(place for place in _kin(found, one, shown) if place != one.place)]
    beside = _whole("beside", NONE)
    if beside == NONE and one.is_replay and "beside" not in st.query_params:
        original = found.find(one.original)
        beside = NONE if original is None else original.place
    other = right.selectbox(
        "Beside it", others, index=others.index(beside) if beside in others else 0,
        format_func=lambda place: labels.get(place, "nothing"),
    )  # fmt: skip
    return one, None if other == NONE else found.at(other)


def _kin(found: Episodes, one: Told, shown: Sequence[Told]) -> list[int]:
    """Return the places of other episodes: repetitions and the same start first."""
    same = [each.place for each in found.told if each.original == one.original]
    start = [each.place for each in found.told if each.start == one.start]
    return list(dict.fromkeys([*same, *start[:MOST_CHOICES], *(each.place for each in shown)]))


def _step(count: int, parted: int | None) -> int:
    """Let the reader go through the steps, and to the first difference."""
    last = max(0, count - 1)
    key = "step"
    if key not in st.session_state:
        st.session_state[key] = min(last, _whole("step", 0))
    st.session_state[key] = min(last, st.session_state[key])

    def go(to: int) -> None:
        st.session_state[key] = min(last, max(0, to))

    back, on, jump, _ = st.columns([1, 1, 2, 4])
    now = int(st.session_state[key])
    back.button("Step back", on_click=go, args=(now - 1,), disabled=now == 0)
    on.button("Step on", on_click=go, args=(now + 1,), disabled=now == last)
    if parted is not None:
        jump.button("Go to the first difference", on_click=go, args=(parted,))
    if last > 0:
        st.slider("Step (0 is the reset)", 0, last, key=key)
    return int(st.session_state[key])


def _at(moves: Sequence[Move], number: int) -> Move | None:
    return moves[number] if number < len(moves) else None


def _whole(name: str, otherwise: int) -> int:
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


def _label(one: Told) -> str:
    score = f"score {numbers.number(one.score)}" if one.score is not None else one.outcome
    kind = " · repetition" if one.is_replay else f" · {one.campaign}" if one.campaign else ""
    return plain(f"{one.start} · {one.probe}{kind} · {score} · {one.steps} steps", 110)
