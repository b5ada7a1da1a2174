"""Reports in which every word that a report may hold is somebody else's."""

import copy
from collections.abc import Iterator
from typing import Any

from reports.model import (
    Figures,
    GroupSignal,
    Learning,
    ModelUse,
    Replays,
    Report,
    ScoreCount,
    Target,
)
from tests.reports.builders import left_open, pays_for_nothing, share, worth_training


def whole() -> Report:
    """Return a report that has something in every part."""
    found = worth_training()
    learned = Learning(
        episodes=60, curve=[(10, 0.1), (60, 0.7)], slope=share(0.9, 0.4, 1.3),
        improvement=share(0.5, 0.2, 0.7, 8, "pairs"), gap=share(0.0, -0.1, 0.1, 8, "starts"),
    )  # fmt: skip
    figures = Figures(
        signal_by_group=[GroupSignal(group_size=2, signal=share(0.2, 0.1, 0.4, 8, "starts"))],
        signal_probe="random",
        scores=[ScoreCount(probe="noop", score=0.0, episodes=9)],
        replays=[Replays(start="seed 1", condition="fresh", replays=2, agreed=1, differs="a")],
    )
    used = ModelUse(
        endpoint="http://localhost", model="m", served={"m": 3}, mode="text", temperature=0.0,
        repeats=1, calls=3, unmetered=0, prompt_tokens=5, completion_tokens=5, cached_tokens=0,
        money=None, refusals=0, unreadable=0,
    )  # fmt: skip
    return found.model_copy(
        update={
            "results": [*found.results, *pays_for_nothing().results, *left_open().results],
            "ladder": [
                rung.model_copy(update={"learning": learned, "witness": "w", "cut": 1})
                for rung in found.ladder
            ],
            "figures": figures,
            "ledger": left_open().ledger,
            "costs": found.costs.model_copy(update={"models": {"greedy": used}}),
            "target": _talkative(found.target),
            "manifest": {"validation": {"types": {"tags": ["grid"]}}, "envassay": {"note": "n"}},
            "manifest_file": "openenv.yaml",
        }
    )


def monstrous(text: str) -> Report:
    """Return the whole report with a text wherever the model takes it."""
    document = whole().model_dump(mode="json")
    for path in list(_texts(document)):
        changed = copy.deepcopy(document)
        _put(changed, path, text)
        try:
            Report.model_validate(changed)
        except ValueError:  # a word of our own: nothing else may stand there
            continue
        document = changed
    return Report.model_validate(document)


def _talkative(target: Target) -> Target:
    return target.model_copy(
        update={"tools": ["t"], "tasks": {"train": 3}, "parts": {"schema": "a"}, "version": "1"}
    )


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*path, place))
    elif isinstance(value, str):
        yield path


def _put(value: Any, path: tuple[str | int, ...], text: str) -> None:
    for part in path[:-1]:
        value = value[part]
    value[path[-1]] = text
