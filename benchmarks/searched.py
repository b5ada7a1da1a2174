"""Search on the healthy calibration environments and the examples, within one process.

    .servers/openenv-0.10.0/bin/python benchmarks/searched.py [NAME ...]

Prints a row for each environment as `references/searched.csv` has it, and then what they sum to.

Standard budget without its clock, root seed 0. Each environment is played where it is, without
a server in between: what is seen is what the server would serialize, and actions are read as it
would read them. That is many times faster than `ladder.py --search`, which goes over the wire.

An environment counts in the sum where its top can be reached and its rewards repeat: `APART` names
the others. One that takes longer than ten minutes, for steps that wait on purpose, is `too long`.
"""

import asyncio
import contextlib
import importlib
import importlib.util
import inspect
import json
import logging
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openenv.core.env_server import CallToolAction, Environment, ListToolsAction, MCPEnvironment
from openenv.core.env_server.serialization import deserialize_action, serialize_observation

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from probes.base import Finished, Lane, Seen, Unplayable  # noqa: E402
from probes.campaign import Campaign, Result, Terms  # noqa: E402
from probes.search.search import Search  # noqa: E402
from validator.manifest import Manifest, read_manifest  # noqa: E402
from validator.seeds import start_seeds, stream  # noqa: E402

STARTS, EPISODES, STEPS = 8, 100, 3_000
"""Of the standard budget."""
LONGEST = 200
REFUSED_IN_A_ROW = 10
TRIES = 3
DUST = 1e-9
MOST_SECONDS = 600.0
SUITE = ROOT / "tests" / "calibration"
APART = {
    "flaky/as_loud_as_declared": "rewards do not repeat",
    "flaky/judge_with_tolerance": "rewards do not repeat",
    "flaky/seeded_judge": "the judge keeps up to 5 % for itself",
    "hover": "the way to the mark costs a little",
    "infra/number_refused": "the range is wider than any price moves",
    "minigrid_empty": "what is paid falls with every step",
    "number_hunt": "ignores its seed, the fault it is an example of",
    "rnum/wide_range": "no top is declared",
}
"""What does not count in the sum, and why."""


class World:
    """One session of an environment, as it is seen over the wire."""

    def __init__(self, kind: type[Any]) -> None:
        self._loop = asyncio.new_event_loop()
        self._session = kind()
        self._tools = isinstance(self._session, MCPEnvironment)
        self._action = CallToolAction if self._tools else _taken_by(kind)

    def lane(self) -> Lane:
        tools = None
        if self._tools:
            listed = self._loop.run_until_complete(self._session.step_async(ListToolsAction()))
            tools = tuple(
                {"name": one.name, "description": one.description, "input_schema": one.input_schema}
                for one in listed.tools
            )
        return Lane(action_schema=self._action.model_json_schema(), tools=tools)

    def reset(self, seed: int) -> dict[str, Any]:
        """Begin an episode; where the environment is busy, try again as rollouts do."""
        for _ in range(TRIES - 1):
            with contextlib.suppress(RuntimeError):
                return _plain(self._session.reset(seed=seed))
        return _plain(self._session.reset(seed=seed))

    def step(self, action: Any) -> dict[str, Any] | str:
        """Return what the server would answer; a text where it would be an error."""
        try:
            read = deserialize_action(action, self._action)
            if self._tools:
                return _plain(self._loop.run_until_complete(self._session.step_async(read)))
            return _plain(self._session.step(read))
        except Exception as fault:
            return str(fault)


def _taken_by(kind: type[Any]) -> Any:
    """Return the class of actions of an environment."""
    return getattr(kind, "takes", None) or kind.__orig_bases__[0].__args__[0]


def _plain(observation: Any) -> dict[str, Any]:
    told = serialize_observation(observation)
    out: dict[str, Any] = json.loads(json.dumps(told, default=lambda one: one.model_dump()))
    return out


def episode(campaign: Campaign, world: World, seed: int, manifest: Manifest) -> tuple[float, int]:
    """Play one episode; return its score (minus infinity where there is none) and its steps."""
    horizon, rule = manifest.envassay.horizon, manifest.envassay.score
    longest = horizon + 1 if isinstance(horizon, int) else LONGEST
    agent = campaign.begin(f"-/{seed}", learning=True)
    seen = Seen(observation=world.reset(seed)["observation"], step=0)
    rewards: list[float] = []
    taken = refused = 0
    done, last, failed = False, None, False
    with contextlib.suppress(Finished):
        for number in range(1, longest + 1):
            try:
                action = agent.act(seen)  # type: ignore[union-attr]
            except Unplayable:
                failed = True
                break
            last, taken = world.step(action), number
            if isinstance(last, str):
                refused += 1
                if refused == REFUSED_IN_A_ROW:
                    failed = True
                    break
                seen = Seen(observation=seen.observation, step=number, error=last)
                continue
            refused, paid = 0, last["reward"]
            paid = float(paid) if isinstance(paid, int | float) else None
            rewards += [] if paid is None else [paid]
            seen = Seen(observation=last["observation"], step=number, reward=paid)
            done = bool(last["done"])
            if done:
                break
    score = None
    if rewards and not failed:
        score = {"sum": sum(rewards), "last": rewards[-1], "max": max(rewards)}[rule]
    end = last if isinstance(last, dict) else {}
    campaign.ended(
        Result(
            score=score, reward=end.get("reward"), done=done,
            observation=end.get("observation") if done else None,
        )
    )  # fmt: skip
    return float("-inf") if score is None else score, taken


Row = tuple[str, int | None, int]
"""An environment, how many of its starts were solved (None: too long), and in how many episodes."""


def searched(name: str, kind: type[Any], manifest: Manifest) -> Row:
    """Search each start of an environment."""
    span, horizon = manifest.score_range, manifest.envassay.horizon
    terms = Terms(
        episodes=EPISODES, steps=STEPS, top=None if span is None else span[1],
        longest=horizon + 1 if isinstance(horizon, int) else LONGEST,
        score=manifest.envassay.score,
    )  # fmt: skip
    reached = played = 0
    began = time.monotonic()
    for seed in start_seeds(0, STARTS):
        world = World(kind)
        rng = stream(0, "campaign", "search", None, seed)  # type: ignore[arg-type]
        campaign = Search().campaign(world.lane(), rng, terms)
        best, steps = float("-inf"), 0
        for _ in range(EPISODES):
            if campaign.finished or steps >= STEPS:
                break
            score, taken = episode(campaign, world, seed, manifest)
            best, steps, played = max(best, score), steps + taken, played + 1
            if time.monotonic() - began > MOST_SECONDS:
                return name, None, played
        reached += span is not None and best >= span[1] - DUST
    return name, reached, played


def summed(rows: list[Row]) -> str:
    """Return in one line what the search reached where the top can be reached."""
    kept = [
        (reached, played)
        for name, reached, played in rows
        if reached is not None and name not in APART
    ]
    if not kept:
        return "none of these counts in the sum"
    every = sum(reached == STARTS for reached, _ in kept)
    some = sum(reached > 0 for reached, _ in kept)
    starts = sum(reached for reached, _ in kept)
    return (
        f"of {len(kept)} environments the top was reached on all starts of {every}, on one at least"
        f" of {some}, on {starts} of {STARTS * len(kept)} starts; median "
        f"{statistics.median(played for _, played in kept):g} episodes for {STARTS} starts"
    )


def environments(wanted: list[str]) -> Iterator[tuple[str, type[Any], Manifest]]:
    """Yield name, class and manifest of what is wanted, of all where nothing is named."""
    for path in sorted(SUITE.glob("*/*.yaml")):
        name = f"{path.parent.name}/{path.stem}"
        if not path.with_suffix(".py").exists() or (wanted and name not in wanted):
            continue
        from validator.calibration import read_labelled

        labelled = read_labelled(path, name)
        if labelled.must and not wanted:
            continue
        module = importlib.import_module(f"tests.calibration.{name.replace('/', '.')}")
        yield name, _environment_of(module), labelled.manifest
    for path in sorted((ROOT / "examples").glob("*/envassay.yaml")):
        name = path.parent.name
        if wanted and name not in wanted:
            continue
        spec = importlib.util.spec_from_file_location(f"example_{name}", path.parent / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        yield name, _environment_of(module), read_manifest(path)


def _environment_of(module: Any) -> type[Any]:
    kinds = [
        one for one in vars(module).values()
        if inspect.isclass(one) and issubclass(one, Environment)
        and one.__module__ == module.__name__
    ]  # fmt: skip
    return kinds[-1]


def main() -> None:
    """Print the table."""
    logging.disable(logging.CRITICAL)
    print("environment,reached,episodes")
    rows = []
    for name, kind, manifest in environments(sys.argv[1:]):
        rows.append(searched(name, kind, manifest))
        _, reached, played = rows[-1]
        print(f"{name},{'too long' if reached is None else reached},{played}", flush=True)
    print(summed(rows), file=sys.stderr)


if __name__ == "__main__":
    main()
