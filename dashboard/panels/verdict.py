"""Who it is, what the verdict is, why, and what to do: the top of an environment's page."""

from dashboard import links
from dashboard.panels.number import number
from dashboard.signs import VERDICTS, badge
from reports import words
from reports.markup import Markup, element, text
from reports.model import Measure
from reports.standing import Standing
from reports.when import moment

MOST_REASONS = 12


def name(found: Standing) -> Markup:
    """Return the environment's name, address and the time of this validation."""
    return element(
        "header",
        element("p", element("a", "← All environments", href=links.HOME), class_="ea-back"),
        element("h1", text(found.name or "unnamed", 120), class_="ea-title"),
        element("p", found.url, class_="ea-small ea-url"),
        element("p", f"Validated {moment(found.validated_at)}", class_="ea-small"),
    )


def verdict(found: Standing, reasons: list[str]) -> Markup:
    """Return the verdict with its reasons and the next step."""
    sign = VERDICTS[found.verdict]
    shown = [element("li", reason) for reason in reasons[:MOST_REASONS]]
    more = len(reasons) - len(shown)
    if more > 0:
        shown.append(element("li", f"and {more} more, below"))
    return element(
        "section",
        element("p", badge(sign), " ", words.VERDICT[found.verdict], class_="ea-verdict"),
        element("h2", "Why"),
        element("ul", *shown),
        element("h2", "What to do next"),
        element("p", text(found.advice or "nothing is known", 600), class_="ea-next"),
        class_=f"ea-panel ea-edge-{sign.tone}",
        aria_label="Verdict",
    )


def headline(found: dict[str, Measure]) -> Markup:
    """Return the numbers that rank, each with its interval, n, method and meaning."""
    cards = (
        element(
            "div",
            element("dt", label.replace("_", " ")),
            element("dd", number(measure, drawn=True), class_="ea-figure"),
            element("dd", words.MEANING.get(label, ""), class_="ea-meaning"),
            element("dd", f"Method: {measure.method}", class_="ea-small") if measure.method else "",
            class_="ea-card",
        )
        for label, measure in found.items()
    )
    return element("dl", *cards, class_="ea-cards")
