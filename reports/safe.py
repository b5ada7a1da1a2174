"""Makes a stranger's text harmless in each output language.

What an environment says about itself is data. Three things are done to it, in this order:
it is cut to a length, what cannot be seen is spelled out, and what the output language would
read as an instruction is defused. Text that went through here may be put anywhere one line of
that language may stand.
"""

import html as _html
import re
import unicodedata
from urllib.parse import unquote, urlsplit, urlunsplit

LINE = 300
"""Most characters of one line, unless the caller says otherwise."""

BLOCK = 4000
"""Most characters of a block of several lines."""

_MOST_MARKS = 3
"""Most accents on one letter; more of them paint over the lines above and below."""

_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""Characters that count as letters or signs and show nothing."""

_VARIATION = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")
"""Selectors no renderer shows, used to smuggle text; U+FE0E and U+FE0F style real symbols."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of control, format, half and private characters."""

_ACTIVE = re.compile(
    r"""
    [\\`*\[\]<>|~$&^{}@#]           # always read as something
    | (?<![^\W_])_ | _(?![^\W_])     # emphasis, but not inside a word
    | :(?=[a-z/:])                   # addresses and directives
    | [!%](?=\S)                     # images and references
    | (?<=www)\.                     # addresses without a scheme
    | ^(?:[-+=/]+|\d+[.)](?=\s|$))   # lists, rules, commands at the start of a line
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What the dialects of GitHub, GitLab and Streamlit may read as an instruction."""

_ENTITY_SPACE = "&#8203;"
"""A zero-width space, which keeps mentions and references from being recognised."""


def plain(text: object, limit: int = LINE) -> str:
    r"""Return one line in which every character can be seen.

    Control, direction-changing, zero-width and half characters become escapes as Python
    writes them, a line break too. What is cut off is counted.

    Example:
        >>> plain("a\x1b[31mb\u202ec\nd")
        'a\\x1b[31mb\\u202ec\\nd'
        >>> plain("abcdef", 3)
        'abc… (3 more characters)'
    """
    kept, left = _cut(str(text), limit)
    return _spelled(kept) + left


def lines(text: object, limit: int = BLOCK) -> str:
    """Return text in which every character can be seen and line breaks stay."""
    kept, left = _cut(str(text), limit)
    return "\n".join(_spelled(line) for line in kept.replace("\r\n", "\n").split("\n")) + left


def terminal(text: object, limit: int = LINE) -> str:
    """Return one line that a terminal shows as it is: no colour, no cursor, no title changes."""
    return plain(text, limit)


def markdown(text: object, limit: int = LINE) -> str:
    r"""Return one line that Markdown shows as it is, table cells included.

    No emphasis, code, link, image, HTML, formula, mention (`@name`) or reference (`#1`)
    is left, in the dialects of GitHub, GitLab and Streamlit.

    Example:
        >>> markdown("<b>|`x`|</b> @all")
        '\\<b\\>\\|\\`x\\`\\|\\</b\\> \\@&#8203;all'
    """
    escaped = _ACTIVE.sub(_escaped, plain(text, limit))
    escaped = re.sub(r"(\\[@#!%~&$])(?=\w)", rf"\1{_ENTITY_SPACE}", escaped)
    return re.sub(r"(?i)\b(gh-)(?=\d)", rf"\1{_ENTITY_SPACE}", escaped)


def _escaped(found: re.Match[str]) -> str:
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", found[0])


def code_span(text: object, limit: int = LINE) -> str:
    r"""Return one line as inline code of Markdown, also inside a table.

    A bar would end the cell even inside code, so it becomes an escape.

    Example:
        >>> code_span("a`b|c")
        '``a`b\\x7cc``'
    """
    shown = plain(text, limit).replace("|", r"\x7c")
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if not shown or shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def code_block(text: object, limit: int = BLOCK) -> str:
    """Return text as a fenced block of Markdown that it cannot break out of."""
    shown = lines(text, limit)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def html(text: object, limit: int = LINE) -> str:
    """Return one line that HTML shows as it is, in text and in quoted attributes.

    Example:
        >>> html('<img src=x onerror="y">')
        '&lt;img src=x onerror=&quot;y&quot;&gt;'
    """
    return _html.escape(plain(text, limit), quote=True)


def address(uri: str) -> str:
    """Return an address without what is secret in it: password, user and query.

    Example:
        >>> address("postgresql+psycopg2://eve:hunter2@db:5432/runs?sslkey=k")
        'postgresql+psycopg2://***@db:5432/runs?***'
    """
    try:
        parts = urlsplit(uri)
        where = parts.netloc
    except ValueError:
        return "an address that cannot be read"
    if "@" in where:
        where = "***@" + where.rpartition("@")[2]
    query = "***" if parts.query else ""
    hidden = urlunsplit((parts.scheme, where, parts.path, query, ""))
    if not parts.netloc and uri.startswith(f"{parts.scheme}://"):  # sqlite:///x keeps its slashes
        hidden = f"{parts.scheme}://{parts.path}{'?***' if query else ''}"
    return plain(hidden)


def without_secrets(message: object, uri: str) -> str:
    """Return a message about `uri` with the secrets of `uri` taken out, as one line."""
    text = str(message).replace(uri, address(uri))
    try:
        parts = urlsplit(uri)
        secrets = [parts.netloc.rpartition("@")[0], parts.password, parts.query]
    except ValueError:
        secrets = []
    for secret in filter(None, secrets):
        text = text.replace(secret, "***").replace(unquote(secret), "***")
    return plain(text)


def _cut(text: str, limit: int) -> tuple[str, str]:
    more = len(text) - limit
    if more <= 0:
        return text, ""
    return text[:limit], f"… ({more} more character{'s' if more > 1 else ''})"


def _spelled(text: str) -> str:
    """Return text with an escape for each character that would not be seen as itself."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        hidden = (
            unicodedata.category(character) in _UNSEEN
            or character in _BLANKS
            or _VARIATION.match(character)
            or marks > _MOST_MARKS
        )
        shown.append(_escape(character) if hidden else character)
    return "".join(shown)


def _escape(character: str) -> str:
    return (
        character.encode("ascii", "backslashreplace").decode()
        if ord(character) > 0x7F
        else repr(character)[1:-1]
    )


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
