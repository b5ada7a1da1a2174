"""How an answer looks: always a sign and a word, the colour comes on top."""

from dataclasses import dataclass

from reports.advice import weight
from reports.markup import Markup, element
from reports.model import CheckResult, VerdictStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What an answer is shown as."""

    mark: str
    word: str
    tone: str
    """Name of the colours in the style sheet."""


VERDICTS: dict[VerdictStatus, Sign] = {
    "pass": Sign(mark="✓", word="pass", tone="good"),
    "warn": Sign(mark="!", word="warn", tone="care"),
    "fail": Sign(mark="✕", word="fail", tone="bad"),
}

FATAL = Sign(mark="✕", word="fails", tone="bad")
WARNING = Sign(mark="!", word="warns", tone="care")
ADVICE = Sign(mark="i", word="advice", tone="note")
QUESTION = Sign(mark="?", word="open question", tone="note")
BROKEN = Sign(mark="↯", word="check broke", tone="broken")
UNDECIDED = Sign(mark="○", word="not decided", tone="open")
PASSED = Sign(mark="✓", word="passes", tone="good")

ORDER = (FATAL, BROKEN, WARNING, UNDECIDED, QUESTION, ADVICE, PASSED)
"""What needs a reader most comes first."""

FITS: dict[bool | None, Sign] = {
    True: Sign(mark="✓", word="enough", tone="good"),
    False: Sign(mark="✕", word="too few", tone="bad"),
    None: Sign(mark="○", word="untested", tone="open"),
}
"""Whether a whole group could play at once."""


def sign_of(result: CheckResult) -> Sign:
    """Return how the answer of a check is shown."""
    match result.status:
        case "pass":
            return PASSED
        case "skip":
            return UNDECIDED
        case "error":
            return BROKEN
        case "fail" if result.question:
            return QUESTION
        case "fail":
            return {"fail": FATAL, "warn": WARNING}.get(weight(result), ADVICE)


def badge(sign: Sign) -> Markup:
    """Return a sign with its word."""
    mark = element("span", sign.mark, class_="ea-mark", aria_hidden="true")
    return element("span", mark, sign.word, class_=f"ea-badge ea-{sign.tone}")
