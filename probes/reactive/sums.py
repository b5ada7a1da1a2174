"""Sums that stand in a text, worked out: one operation on two numbers."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

LONGEST = 4_000
"""Characters of a text that are looked at: of a longer one the end, where the question stands."""
MOST = 20

_NUMBER = r"-?\d{1,12}(?:\.\d{1,6})?(?:/\d{1,6})?"
_SIGNS = re.compile(
    rf"(?<![\w.])({_NUMBER})[ \t]{{0,2}}"
    r"(\+|-|−|–|\*|×|·|x|plus|minus|times|multiplied by)[ \t]{0,2}"
    rf"({_NUMBER})(?![\w./]\d|[ \t]{{0,2}}[-+*×·x][ \t]{{0,2}}\d)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"\b(sum|total|difference|product)\s(?:of|between)\s({_NUMBER})\s?(?:,|and)\s?({_NUMBER})",
    re.IGNORECASE,
)
_OPERATIONS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    **dict.fromkeys(("+", "plus", "sum", "total"), lambda a, b: a + b),
    **dict.fromkeys(("-", "−", "–", "minus", "difference"), lambda a, b: a - b),
    **dict.fromkeys(("*", "×", "·", "x", "times", "multiplied by", "product"), lambda a, b: a * b),
}


def sums_in(text: str) -> Iterator[str]:
    """Yield the results of the sums in a text, the last one first, as decimal numbers or fractions.

    Example:
        >>> list(sums_in("What is 12 + 30?")), list(sums_in("the product of 3 and 4; 1/2 - 1/3"))
        (['42'], ['1/6', '12'])
    """
    text = text[-LONGEST:]
    found = [
        *((m.start(), m[2], m[1], m[3]) for m in _SIGNS.finditer(text)),
        *((m.start(), m[1], m[2], m[3]) for m in _NAMED.finditer(text)),
    ]
    for _, sign, one, other in sorted(found, reverse=True)[:MOST]:
        try:
            yield _spell(_OPERATIONS[sign.lower()](Fraction(one), Fraction(other)), one + other)
        except ZeroDivisionError:
            continue


def _spell(number: Fraction, given: str) -> str:
    """Return a number as numbers were given: a fraction, or decimals."""
    if number.denominator == 1:
        return str(number.numerator)
    if "/" in given:
        return f"{number.numerator}/{number.denominator}"
    return f"{float(number):.12g}"
