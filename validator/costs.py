"""What a run spent: episodes and steps, and the calls, tokens and money of language models."""

import json
from collections.abc import Iterable
from pathlib import Path

from probes.model.ledger import Count
from probes.model.tier import ModelProbe
from reports.model import Costs, ModelUse, Paid
from validator.evidence import Evidence
from validator.installed import Installed
from validator.recording import write_whole

LEDGERS = "model-costs.json"
"""File in a run's folder: what its language models have used, for a run that is gone on with."""


def costs(evidence: Evidence, installed: Installed) -> Costs:
    """Return what the whole run took, a rerun with kept replies as much."""
    rows = evidence.table.everything
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


def keep(probes: Iterable[ModelProbe], folder: Path) -> None:
    """Write what was used to the run's folder."""
    counts = {probe.name: probe.ledger.totals() for probe in probes}
    if counts:
        write_whole(folder / LEDGERS, json.dumps(counts, indent=2) + "\n")


def restore(probes: Iterable[ModelProbe], folder: Path) -> None:
    """Go on from what was used before the run was ended; from nothing where that is unknown."""
    try:
        found = json.loads((folder / LEDGERS).read_text("utf-8"))
    except (OSError, ValueError):
        return
    for probe in probes:
        if isinstance(found, dict) and isinstance(found.get(probe.name), dict):
            probe.ledger.restore(found[probe.name])


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
