"""Whether an answer is to be read in a text, plainly or in disguise."""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, TypeAlias
from urllib.parse import unquote

from validator.client.frames import Json

Form: TypeAlias = Literal["plain", "url", "base64", "hex", "reversed", "rot13", "split"]
DISGUISES: tuple[Form, ...] = ("url", "base64", "hex", "reversed", "rot13", "split")
"""Forms in which nothing is written by chance."""

LONGEST_TEXT = 200_000
"""Characters of one text that are searched."""
SHORTEST_DISGUISED = 4
"""Characters of an answer below which a disguised one may be there by chance."""

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{4,}={0,2}")
_HEX = re.compile(r"(?:0x)?((?:[0-9a-fA-F]{2}[ :]?){3,})")
_SPLIT = re.compile(r"(?<!\w)\w(?:[^\w]{1,3}\w(?!\w)){2,}")


def found_in(answer: str, text: str) -> tuple[Form, ...]:
    """Return the forms in which a text holds an answer as a whole word.

    Case and spacing do not count. Disguised answers are looked for from four characters on.

    Example:
        >>> found_in("Vienna", "it is vienna"), found_in("Vienna", "Vmllbm5h"), found_in("en", "")
        (('plain',), ('base64',), ())
        >>> found_in("tiger", "t-i-g-e-r, regit")
        ('reversed', 'split')
    """
    wanted = normalise(answer)
    if not wanted:
        return ()
    views = _views(text[:LONGEST_TEXT])
    if holds(wanted, views["plain"]):
        return ("plain",)
    if len(wanted) < SHORTEST_DISGUISED:
        return ()
    bare = re.sub(r"\W", "", wanted)
    return tuple(
        form for form in DISGUISES if holds(bare if form == "split" else wanted, views[form])
    )


def holds(wanted: str, text: str) -> bool:
    """Say whether a normalised text holds a normalised answer, not as a part of a word."""
    at = text.find(wanted)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(wanted) :][:2]
        if not _joins(before, wanted[0]) and not _goes_on(wanted[-1], after):
            return True
        at = text.find(wanted, at + 1)
    return False


def normalise(text: str) -> str:
    """Return a text in lower case, with single spaces, without the punctuation about it."""
    return " ".join(text.casefold().split()).strip("\"'`.,;:!?()[]{}<> ")


def texts(value: Json) -> Iterator[str]:
    """Yield the texts and numbers of a JSON value, and the names of its fields."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            for name, inner in reversed(one.items()):
                waiting += [inner, name]
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str):
            yield one
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield f"{one!r}"


@lru_cache(maxsize=4096)
def _views(text: str) -> dict[Form, str]:
    plain = _spaced(text)
    return {
        "plain": plain,
        "url": _spaced(unquote(text)) if "%" in text else "",
        "base64": _spaced("\n".join(_decoded_base64(text))),
        "hex": _spaced("\n".join(_decoded_hex(text))),
        "reversed": plain[::-1],
        "rot13": codecs.encode(plain, "rot13"),
        "split": "\n".join(re.sub(r"\W", "", run) for run in _SPLIT.findall(plain)),
    }


def _spaced(text: str) -> str:
    return " ".join(text.casefold().split())


def _decoded_base64(text: str) -> Iterator[str]:
    for token in _BASE64.findall(text):
        bare = token.rstrip("=").translate(str.maketrans("-_", "+/"))
        try:
            yield base64.b64decode(bare + "=" * (-len(bare) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue


def _decoded_hex(text: str) -> Iterator[str]:
    for token in _HEX.findall(text):
        try:
            yield bytes.fromhex(re.sub(r"[ :]", "", token)).decode("utf-8")
        except (ValueError, UnicodeDecodeError):
            continue


def _joins(before: str, first: str) -> bool:
    return bool(before) and _wordy(before) and _wordy(first)


def _goes_on(last: str, after: str) -> bool:
    """Say whether a word or number goes on behind the answer: 0.5 is not 0.57, nor 3 3.5."""
    if not after or not _wordy(last):
        return False
    if _wordy(after[0]):
        return True
    return last.isdigit() and after[0] in "./," and after[1:].isdigit()


def _wordy(character: str) -> bool:
    return character.isalnum() or character == "_"
