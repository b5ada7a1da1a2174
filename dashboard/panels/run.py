"""Where the episodes went, what they cost, how fast it was, and how the report was made."""

import json
from collections.abc import Mapping

from dashboard.signs import FITS, badge
from reports import numbers, words
from reports.markup import Markup, block, element, text
from reports.model import Measure, Report
from reports.spending import Ledger
from reports.standing import standing
from reports.when import moment

OUTCOMES = {
    "scored": ("●", "ended with a score, zero included", "good"),
    "absent": ("○", "ended without any reward: not a zero", "open"),
    "error": ("↯", "could not be completed", "broken"),
    "timeout": ("◷", "no answer in time", "broken"),
    "refused": ("✕", "the server took no session", "care"),
}
"""Sign, meaning and colours of each way an episode ends."""


def ledger(found: Ledger) -> Markup:
    """Return how many episodes ended in each of the five ways."""
    cells = (
        element(
            "div",
            element("dt", element("span", mark, class_="ea-mark", aria_hidden="true"), name),
            element("dd", f"{amount:,}", class_="ea-figure"),
            element("dd", meaning, class_="ea-small"),
            class_=f"ea-card ea-outcome {f'ea-{tone}' if amount else 'ea-none'}",
        )
        for name, amount in words.outcomes(found).items()
        for mark, meaning, tone in [OUTCOMES[name]]
    )
    notes = [f"{found.planned:,} episodes planned, {found.started:,} started."]
    if found.reused:
        notes.append(f"{found.reused:,} of these were played by an earlier run.")
    if found.stopped:
        notes.append(f"Stopped early: {found.stopped}.")
    if unplayed := words.unplayed(found):
        notes.append(f"Not played: {unplayed}.")
    return element(
        "div",
        element("dl", *cells, class_="ea-cards ea-narrow"),
        *(element("p", note) for note in notes),
    )


def costs(report: Report) -> Markup:
    """Return what was spent and how many sessions were served."""
    place = standing(report)
    served = words.sessions(place.sessions_served, place.sessions_refused_at, place.group_size)
    return facts(
        {
            "sessions": element("span", badge(FITS[place.serves_group]), " ", served),
            "spent": words.cost(report),
            "rollouts took": numbers.seconds(report.times.rollout_seconds),
            "received": f"{report.times.bytes_received:,} bytes",
        }
    )


def latencies(found: Mapping[str, Measure]) -> Markup:
    """Return how fast the environment answered."""
    rows = (
        element(
            "tr",
            element("th", _named(name), scope="row"),
            element("td", numbers.short(measure)),
            element("td", numbers.sample(measure)),
        )
        for name, measure in found.items()
    )
    heads = ("what", "95% interval", "n")
    head = element("tr", *(element("th", name, scope="col") for name in heads))
    return element("table", element("thead", head), element("tbody", *rows), class_="ea-measured")


def made(report: Report) -> Markup:
    """Return what the run was told and what it found at the address."""
    told, target = report.settings, report.target
    manifest = "none" if report.manifest is None else block(json.dumps(report.manifest, indent=2))
    return facts(
        {
            "started": moment(report.times.started_at),
            "made by": words.made_by(report),
            "group size": f"{told.group_size}",
            "probes": ", ".join(f"{rung.probe} {rung.version}" for rung in report.ladder),
            "what counts": words.success(report),
            "step limit": f"{told.max_steps:,} steps",
            "version": target.version or "not told",
            "description": text(target.description or "none", 2000),
            "tools": "none listed" if target.tools is None else ", ".join(target.tools),
            "tasks": _tasks(target.tasks),
            "fingerprint": element("code", target.fingerprint),
            "driver": f"{target.kind}, {target.driver}",
            "run": element("code", report.run),
            "manifest": manifest,
        }
    )


def facts(found: Mapping[str, str]) -> Markup:
    """Return names with what belongs to them."""
    rows = (
        element("div", element("dt", name), element("dd", value)) for name, value in found.items()
    )
    return element("dl", *rows, class_="ea-facts")


def _tasks(found: Mapping[str, int | None] | None) -> str:
    if found is None:
        return "none listed"
    return ", ".join(
        f"{split}: {'unknown' if amount is None else f'{amount:,}'}"
        for split, amount in found.items()
    )


def _named(name: str) -> str:
    if name in words.TIMED:
        return words.TIMED[name]
    for ending, word in (("_p50", "median"), ("_p95", "95% are within")):
        if name.endswith(ending):
            return f"{name.removesuffix(ending)}, {word}"
    return name.replace("_", " ")
