"""One step of a stored episode: what was done, what came back, and the raw frames."""

import json
from collections.abc import Collection
from typing import Any

from reports import numbers
from reports.episodes import Move, Told
from reports.markup import Markup, block, element, join, text
from reports.safe import BLOCK

MOST_CHARACTERS = 20_000
"""Of one observation or frame; what is cut off is counted."""
PARTS = ("asked", "observation", "reward", "done")


def told(one: Told) -> Markup:
    """Return who played, on what, and how it ended."""
    score = (
        f"score {numbers.number(one.score)}"
        if one.score is not None
        else f"{one.outcome}: {one.why or 'no score'}"
    )
    return element(
        "div",
        element("p", element("code", text(one.name, 200))),
        element("p", f"{score}; {numbers.count(one.steps, 'steps')}; ended: {one.ended}"),
        class_="ea-small",
    )


def step(found: Move | None, differs: Collection[str] = ()) -> Markup:
    """Return one step; the parts in `differs` are marked as different from the other episode."""
    if found is None:
        return element("p", "This episode had ended before.", class_="ea-undefined")
    name = "reset" if found.number == 0 else f"step {found.number}"
    parts = [_part(part, found, part in differs) for part in PARTS]
    if found.error:
        parts.append(_shown("error", block(found.error, BLOCK), "error" in differs))
    taken = "" if found.seconds is None else f"answered in {numbers.seconds(found.seconds)}"
    frames = (
        element(
            "div",
            element("p", frame.way, class_="ea-small"),
            block(frame.text, MOST_CHARACTERS),
        )
        for frame in found.frames
    )
    raw = element(
        "details", element("summary", f"{len(found.frames)} raw frames"), *frames, class_="ea-raw"
    )
    return element(
        "section",
        element("h2", name, " ", element("span", taken, class_="ea-small")),
        *parts,
        raw,
        class_="ea-step",
        aria_label=name,
    )


def _part(name: str, found: Move, differs: bool) -> Markup:
    if name == "asked":
        label = "reset with" if found.number == 0 else "action"
        return _shown(label, _json(found.asked), differs)
    if found.error:
        return text("")
    if name not in found.fields:
        missing = element("span", "not on the wire", class_="ea-undefined")
        return _shown(name, missing, differs)
    return _shown(name, _json(getattr(found, name)), differs)


def _shown(name: str, value: str, differs: bool) -> Markup:
    mark = element("span", "≠ differs", class_="ea-badge ea-care") if differs else ""
    return element(
        "div",
        element("p", element("b", name), " ", mark, class_="ea-small"),
        value,
        class_="ea-part ea-differs" if differs else "ea-part",
    )


def _json(value: Any) -> Markup:
    if isinstance(value, str | int | float | bool) or value is None:
        return block(json.dumps(value, ensure_ascii=False), MOST_CHARACTERS)
    try:
        shown = json.dumps(value, indent=2, ensure_ascii=False)
    except (RecursionError, ValueError):
        shown = "nested too deeply to be shown: see the raw frames"
    return join([block(shown, MOST_CHARACTERS)])
