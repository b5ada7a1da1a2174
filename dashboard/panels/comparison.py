"""Two validations beside each other."""

from collections.abc import Iterable

from dashboard import links
from dashboard.pairs import Answers, Pair
from dashboard.panels.number import number
from dashboard.signs import VERDICTS, badge, sign_of
from reports import numbers, words
from reports.markup import Markup, element, join, text
from reports.model import CheckResult, Report
from reports.tracking.read import Row
from reports.when import moment


def heads(one: Row, other: Row) -> Markup:
    """Return who is compared, each with its verdict."""
    cards = (
        element(
            "section",
            element("p", label, class_="ea-small"),
            element(
                "p",
                element(
                    "a",
                    text(row.standing.name or "unnamed", 80),
                    href=links.environment(row.run_id),
                    target="_self",
                ),
                class_="ea-name",
            ),
            element("p", row.standing.url, class_="ea-small ea-url"),
            element("p", moment(row.standing.validated_at), class_="ea-small"),
            element("p", badge(VERDICTS[row.standing.verdict]), " ", row.standing.reason),
            element("p", text(row.standing.advice, 600), class_="ea-next"),
            class_=f"ea-panel ea-edge-{VERDICTS[row.standing.verdict].tone}",
            aria_label=label,
        )
        for label, row in (("One", one), ("Other", other))
    )
    return element("div", *cards, class_="ea-two")


def headlines(one: Report, other: Report) -> Markup:
    """Return the numbers that rank, of both."""
    rows = (
        (name.replace("_", " "), number(one.headline.get(name)), number(other.headline.get(name)),
         words.BRIEF.get(name, ""))
        for name in dict.fromkeys([*one.headline, *other.headline])
    )  # fmt: skip
    return _table(("number", "one", "other", "what it says"), rows)


def ladders(found: Iterable[Pair]) -> Markup:
    """Return what each probe earned in both, and the difference over the tasks of both."""
    rows = [
        (
            text(pair.probe, 40),
            numbers.full(pair.one, counted=True),
            numbers.full(pair.other, counted=True),
            element("b", numbers.full(pair.difference, counted=True)),
            text(pair.difference.method, 80),
        )
        for pair in found
    ]
    if not rows:
        return element("p", "No probe of the same version played in both.", class_="ea-undefined")
    return _table(("probe", "one", "other", "other less one", "method"), rows)


def checks(found: Iterable[Answers]) -> Markup:
    """Return every check of both, those that changed first."""
    rows = [
        (
            element("code", answer.id),
            _answer(answer.one),
            _answer(answer.other),
            "unchanged" if answer.same else element("b", "changed"),
        )
        for answer in found
    ]
    return _table(("check", "one", "other", "between them"), rows)


def _answer(result: CheckResult | None) -> Markup:
    if result is None:
        return element("span", "not asked", class_="ea-undefined")
    reason = element("span", text(result.reason, 200), class_="ea-small")
    return join([badge(sign_of(result)), reason])


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    names = list(header)
    head = element("tr", *(element("th", name, scope="col") for name in names))
    body = (
        element(
            "tr",
            *(element("td", cell, data_label=name) for name, cell in zip(names, row, strict=True)),
        )
        for row in rows
    )
    return element(
        "table", element("thead", head), element("tbody", *body), class_="ea-measured ea-history"
    )
