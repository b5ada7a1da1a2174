"""HTML in which a stranger's text can only ever be text.

Whatever is put into an element is escaped, unless it is `Markup`, which only this module makes.
"""

from collections.abc import Iterable

from reports.safe import BLOCK, LINE, html, lines

VOID = frozenset({"br", "col", "hr"})


class Markup(str):
    """HTML that may be shown as it is."""

    __slots__ = ()


def text(value: object, limit: int = LINE) -> Markup:
    r"""Return one line of text.

    Example:
        >>> text("<b>\x1b[1m")
        '&lt;b&gt;\\x1b[1m'
    """
    return Markup(html(value, limit))


def block(value: object, limit: int = BLOCK) -> Markup:
    """Return text whose line breaks are kept, in a frame of its own."""
    shown = "&#10;".join(html(line, limit) for line in lines(value, limit).split("\n"))
    return Markup(f'<pre class="ea-block" tabindex="0">{shown}</pre>')


def element(name: str, *children: str, **attributes: str | int | bool | None) -> Markup:
    """Return an element; a trailing underscore is dropped from the names of attributes.

    Example:
        >>> element("td", "a < b", class_="number", data_label="n", hidden=False)
        '<td class="number" data-label="n">a &lt; b</td>'
    """
    shown = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{html(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in VOID:
        return Markup(f"<{name}{shown}>")
    return Markup(f"<{name}{shown}>{join(children)}</{name}>")


def join(children: Iterable[str], between: str = "") -> Markup:
    """Return pieces one after another, escaped where they are not `Markup` yet."""
    pieces = (child if isinstance(child, Markup) else text(child) for child in children)
    return Markup((between if isinstance(between, Markup) else text(between)).join(pieces))
