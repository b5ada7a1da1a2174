"""A number as it stands on a page: estimate, strip, interval and n, or why there is none."""

from reports import numbers
from reports.markup import Markup, element, join, text
from reports.model import Measure
from reports.writers.strip import along, scale

WHY_CHARACTERS = 120


def number(found: Measure | None, *, drawn: bool = False) -> Markup:
    """Return a number with its interval and n.

    Args:
        found: What was found; None where it was not looked for.
        drawn: Also draw the interval on a line.
    """
    if found is None or found.estimate is None:
        why = "" if found is None else found.undefined or ""
        return join(
            [
                element("span", "not measured", class_="ea-undefined"),
                element("span", text(why, WHY_CHARACTERS), class_="ea-small") if why else "",
            ]
        )
    written = numbers.parts(found)
    size = written.sample or found.method
    small = (element("span", part, class_="ea-bit") for part in (written.interval, size) if part)
    return join(
        [
            element("span", written.estimate, class_="ea-number"),
            strip({"": found}) if drawn else "",
            element("span", join(small, " "), class_="ea-small"),
        ]
    )


def strip(found: dict[str, Measure]) -> Markup:
    """Return the intervals on one line, the point of each named by a class of that name."""
    known = {name: measure for name, measure in found.items() if measure.estimate is not None}
    ends = scale(list(known.values()))
    if ends is None:
        return element("span", class_="ea-strip ea-empty", aria_hidden="true")
    drawn = []
    for name, measure in known.items():
        assert measure.estimate is not None
        if measure.low is not None and measure.high is not None:
            low, high = along(measure.low, ends), along(measure.high, ends)
            place = f"left: {low:.2%}; width: {high - low:.2%}"
            drawn.append(element("i", style=place, class_=f"ea-span ea-{name or 'plain'}"))
        place = f"left: {along(measure.estimate, ends):.2%}"
        drawn.append(element("b", style=place, class_=f"ea-point ea-{name or 'plain'}"))
    return element("span", *drawn, class_="ea-strip", aria_hidden="true")
