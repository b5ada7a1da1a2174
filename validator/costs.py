"""What a run spent: episodes and steps, and the calls, tokens and money of language models."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from probes.base import Json
from probes.model.ledger import Count
from probes.model.tier import ModelProbe
from reports.model import Costs, ModelUse, Paid
from validator.evidence import Evidence
from validator.installed import Installed
from validator.recording import write_whole

LEDGERS = "model-costs.jsonl"
"""File in a run's folder: what its language models have used, for a run that is gone on with.

Each line has the totals of one of them, and the last one of each counts.
"""


def costs(evidence: Evidence, installed: Installed) -> Costs:
    """Return what the whole run took, a rerun with kept replies as much."""
    rows = evidence.now.table.everything
    models = {probe.name: _use(probe) for probe in language_models(installed)}
    return Costs(
        episodes=len(rows),
        steps=sum(row.steps for row in rows),
        tokens=sum(use.prompt_tokens + use.completion_tokens for use in models.values()),
        models=models,
    )


def paid(installed: Installed) -> dict[str, Paid]:
    """Return what was asked of endpoints now; replies kept from earlier runs are not in it."""
    return {
        probe.name: Paid(
            calls=probe.ledger.fresh.calls,
            retries=probe.ledger.retries,
            tokens=probe.ledger.fresh.tokens,
            money=probe.ledger.fresh.money(probe.ledger.prices),
        )
        for probe in language_models(installed)
    }


def language_models(installed: Installed) -> list[ModelProbe]:
    """Return the run's language models."""
    return [probe for probe in installed.probes.values() if isinstance(probe, ModelProbe)]


@contextmanager
def kept(probes: Iterable[ModelProbe], folder: Path) -> Iterator[None]:
    """Go on from what was used before the run was ended, and write down each further call.

    A line is written as soon as something is counted, so that a run which is killed has told what
    it spent; in the end one line of each model is left.
    """
    models = {probe.name: probe for probe in probes}
    if not models:
        yield
        return
    for name, totals in _kept(folder / LEDGERS):
        if name in models:
            models[name].ledger.restore(totals)
    write_whole(folder / LEDGERS, "".join(map(_line, models.values())))
    with (folder / LEDGERS).open("a", encoding="utf-8", newline="\n") as file:

        def write(probe: ModelProbe) -> None:
            file.write(_line(probe))
            file.flush()

        for probe in models.values():
            probe.ledger.changed = partial(write, probe)
        try:
            yield
        finally:
            for probe in models.values():
                probe.ledger.changed = lambda: None
    write_whole(folder / LEDGERS, "".join(map(_line, models.values())))


def _line(probe: ModelProbe) -> str:
    return json.dumps({"probe": probe.name, **probe.ledger.totals()}) + "\n"


def _kept(path: Path) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield what the lines of a file tell; one that was cut off tells nothing."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield str(found.get("probe")), found


def _use(probe: ModelProbe) -> ModelUse:
    ledger, tier = probe.ledger, probe.tier
    used: Count = ledger.used
    return ModelUse(
        endpoint=probe.url,
        model=probe.model,
        served=dict(sorted(ledger.served.items())),
        mode=probe.mode,
        temperature=tier.temperature,
        repeats=tier.repeats,
        calls=used.calls,
        unmetered=used.unmetered,
        prompt_tokens=used.prompt_tokens,
        completion_tokens=used.completion_tokens,
        cached_tokens=used.cached_tokens,
        money=used.money(ledger.prices),
        refusals=ledger.refusals,
        unreadable=ledger.unreadable,
    )
