"""Plays calibration environments by hand, as their authors say that they are played."""

import importlib.util
import itertools
import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.calibration.labels import Labelled
from tests.examples.player import Player
from validator.manifest import Manifest, Tasks, parse_manifest

Json = dict[str, Any]
Solve = Callable[[Any, Any, int], Json]


def manifest_of(one: Labelled) -> Manifest:
    """Return what the author declares."""
    return parse_manifest(one.manifest, where=one.name)


def solver(folder: Path, policy: str) -> Solve:
    """Return the function that a manifest names as `path:function`."""
    path, _, function = policy.partition(":")
    spec = importlib.util.spec_from_file_location("oracle", folder / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Solve = getattr(module, function)
    return found


def starts(tasks: Tasks | None) -> list[Json]:
    """Return a few starts: seeds, and tasks where a manifest lists them."""
    seeds: list[Json] = [{"seed": seed} for seed in (0, 1, 7)]
    if tasks is None or tasks.select is None:
        return seeds
    [option] = tasks.select
    ids = tasks.ids or range(tasks.count if isinstance(tasks.count, int) else 4)
    return [{"seed": 1, option: task} for task in itertools.islice(ids, 4)]


def solutions(one: Labelled) -> Iterator[tuple[Json, Solve]]:
    """Yield starts and what does the task there."""
    block = manifest_of(one).envassay
    if block.oracle is None:
        return
    if block.oracle.trajectories:
        lines = (one.folder / block.oracle.trajectories).read_text("utf-8").splitlines()
        for line in map(json.loads, lines[:4]):
            yield line["reset"], recorded(line["actions"])
    elif block.oracle.policy:
        solve = solver(one.folder, block.oracle.policy)
        for start in starts(block.tasks):
            yield start, solve


def recorded(actions: list[Json]) -> Solve:
    """Return what plays a list of actions, and the last one for ever."""
    return lambda _seen, _task, step: actions[min(step, len(actions) - 1)]


def begin(session: Player, start: Json) -> Json:
    """Reset; one that says that it failed is tried again."""
    answer = session.ask("reset", start)
    if answer["type"] == "error":
        answer = session.ask("reset", start)
    assert answer["type"] == "observation", answer
    data: Json = answer["data"]
    return data


def play(session: Player, start: Json, act: Solve, most: int = 70) -> list[Json]:
    """Play an episode to its end and return all that came back."""
    trace = [begin(session, start)]
    for step in range(most):
        if trace[-1]["done"]:
            break
        answer = session.ask("step", act(trace[-1]["observation"], None, step))
        if answer["type"] == "error":
            break
        trace.append(answer["data"])
    return trace


def refusal(url: str) -> str | None:
    """Return the code with which a new session is refused, None where it is served."""
    with connect(url.replace("http", "ws", 1) + "/ws", proxy=None) as socket:
        # A server that is full says so and closes, perhaps before it has read anything.
        with suppress(ConnectionClosed):
            socket.send('{"type": "reset", "data": {"seed": 0}}')
        code: str | None = json.loads(socket.recv(timeout=20))["data"].get("code")
        return code


def wait_for_slot(url: str) -> None:
    """Return when a session is served; a server of one needs a moment to see that one is gone."""
    for _ in range(100):
        if refusal(url) is None:
            break
        time.sleep(0.01)
    time.sleep(0.05)


def score_of(trace: list[Json], rule: str) -> float:
    """Return the sum of the rewards, or the last one."""
    paid = [data["reward"] or 0.0 for data in trace[1:]]
    return math.fsum(paid) if rule == "sum" else paid[-1]
