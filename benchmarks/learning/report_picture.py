"""Draws score against gain: a point an environment, a colour a family, intervals on both axes."""

from collections.abc import Iterator
from html import escape

import pandas as pd

WIDTH, HEIGHT, LEFT, TOP, SIDE = 760, 600, 70, 30, 500
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
"""Okabe and Ito's, which colour-blind readers can tell apart."""
SHAPES = ("circle", "square", "diamond", "up", "down", "cross", "ring")
"""A second sign beside the colour."""
LEAST, MOST = -0.4, 1.1
"""Of gains drawn; scores are drawn from 0 to 1."""


def picture(table: pd.DataFrame) -> str:
    """Return the picture as SVG text.

    Args:
        table: Rows with environment, family, kind, value, value_low, value_high, gain, low, high.
    """
    families = list(dict.fromkeys(table.family))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="Training value before training against the gain that training brought" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        *_axes(),
    ]
    for row in table.to_dict("records"):
        place = families.index(row["family"])
        colour = COLOURS[place % len(COLOURS)]
        x, y = _across(row["value"]), _up(row["gain"])
        title = escape(f"{row['environment']}: {row['value']:.2f}, gained {row['gain']:.2f}")
        parts += [
            f'<g stroke="{colour}" stroke-opacity=".35"><path d="M{_across(row["value_low"]):.1f} '
            f"{y:.1f}H{_across(row['value_high']):.1f}M{x:.1f} {_up(row['low']):.1f}"
            f'V{_up(row["high"]):.1f}"/></g>',
            f"<g><title>{title}</title>{_sign(SHAPES[place % len(SHAPES)], x, y, colour)}</g>",
        ]
    for place, family in enumerate(families):
        y = TOP + 20 + 26 * place
        colour = COLOURS[place % len(COLOURS)]
        parts.append(_sign(SHAPES[place % len(SHAPES)], LEFT + SIDE + 30, y, colour))
        parts.append(f'<text x="{LEFT + SIDE + 46}" y="{y + 5}">{escape(family)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _across(score: float) -> float:
    return LEFT + SIDE * min(1.0, max(0.0, score))


def _up(gain: float) -> float:
    return TOP + SIDE * (MOST - min(MOST, max(LEAST, gain))) / (MOST - LEAST)


def _axes() -> Iterator[str]:
    yield f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>'
    for tick in range(6):
        x = _across(tick / 5)
        yield f'<text x="{x}" y="{TOP + SIDE + 20}" text-anchor="middle">{tick / 5:g}</text>'
        y = _up(tick / 5)
        yield f'<path d="M{LEFT} {y:.1f}h{SIDE}" stroke="{"#999" if tick == 0 else "#e5e5e5"}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{tick / 5:g}</text>'
    middle = LEFT + SIDE / 2
    yield (
        f'<text x="{middle}" y="{HEIGHT - 22}" text-anchor="middle">training value, solutions '
        "declared, before training (95% interval)</text>"
    )
    yield (
        f'<text transform="translate(22 {TOP + SIDE / 2}) rotate(-90)" text-anchor="middle">gain '
        "of true success by training (95% interval)</text>"
    )


def _sign(shape: str, x: float, y: float, colour: str) -> str:
    match shape:
        case "circle":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
        case "ring":
            return (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="#fff" stroke="{colour}" '
                'stroke-width="2"/>'
            )
        case "square":
            return (
                f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" fill="{colour}"/>'
            )
        case "diamond":
            path = f"M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"
        case "up":
            path = f"M{x:.1f} {y - 6:.1f}l6 11h-12z"
        case "down":
            path = f"M{x:.1f} {y + 6:.1f}l6 -11h-12z"
        case _:
            path = f"M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"
            return f'<path d="{path}" stroke="{colour}" stroke-width="3" fill="none"/>'
    return f'<path d="{path}" fill="{colour}"/>'
