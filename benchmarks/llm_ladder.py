"""What language models of three sizes earn beside random play and a solver, through the wire.

    envassay models fetch smollm2-135m            # and the two others, see MODELS
    python benchmarks/llm_ladder.py               # prints the table of docs/language-models.md
    python benchmarks/llm_ladder.py --starts 10 --environments grid

Environments are served by openenv, models by `envassay models serve` on one thread, one after the
other. All play from the same starts. Rows are in the order that the ladder claims; where the
scores are not, that is a result.
"""

import argparse
import asyncio
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from metrics.results import Undefined
from probes.base import Probe
from probes.blind.uniform import Uniform
from probes.model.cache import Cache
from probes.model.endpoint import Pace, Place
from probes.model.ledger import Budget
from probes.model.tier import ModelProbe, Tier
from validator.declared import read_declared
from validator.events import Audience
from validator.evidence import Evidence
from validator.installed import Installed
from validator.manifest import parse_manifest
from validator.plugins import Registry
from validator.policy.model import read_policy
from validator.recording import Recording
from validator.rollouts.budget import PRESETS
from validator.rollouts.needs import Need
from validator.rollouts.start import Trajectory
from validator.settings import Settings
from validator.stage import Stage
from validator.targets.url import UrlTarget

HERE = Path(__file__).resolve().parent
PYTHON = HERE.parent / ".servers" / "openenv-0.10.0" / "bin" / "python"
ENVASSAY = str(Path(sys.executable).with_name("envassay"))
CHECK = "statistical.difficulty_separation"
MODELS = ("smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b")
HORIZONS = {"arithmetic": 1, "grid": 8, "guess": 4}
DRAWS = 8
"""Episodes of random play on each start."""
START_SECONDS = 120.0
FIRST_PORT = 8571
SECONDS: dict[str, float] = {}
"""Wall time that each model took on the environment played last."""


@contextmanager
def child(*command: str) -> Iterator[str]:
    """Run a command and give the first line that it writes; it runs as politely as may be."""
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            ["nice", "-n", "10", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as running,
    ):
        try:
            assert running.stdout is not None
            ready, _, _ = select.select([running.stdout], [], [], START_SECONDS)
            line = running.stdout.readline().strip() if ready else ""
            if not line:
                said.seek(0)
                sys.exit(f"{command[0]} did not start: {said.read()[-1000:]}")
            yield line
        finally:
            running.terminate()


def model_probe(name: str, cache: Path | None) -> tuple[ModelProbe, int]:
    """Return a model as a probe, and the port that it will be served on.

    The port is the same every time: a kept reply belongs to an endpoint.
    """
    tier = Tier(
        name=name,
        model=name,
        reply_tokens=64,
        pace=Pace(concurrency=1, call_seconds=300.0, patience_seconds=60.0),
        budget=Budget(calls=10_000, seconds=1e6),
    )
    port = FIRST_PORT + MODELS.index(name)
    return ModelProbe(tier, Place.read(f"http://127.0.0.1:{port}/v1"), Cache(cache)), port


async def ladder(environment: str, base: str, args: argparse.Namespace) -> None:
    """Play one environment with everything, and print what each earned."""
    document = {
        "envassay": {
            "score_range": [0.0, 1.0],
            "horizon": HORIZONS[environment],
            "tasks": {"count": "unbounded"},
            "oracle": {"policy": f"llm_ladder_solvers.py:solve_{environment}"},
        }
    }
    manifest = parse_manifest(document, where="llm_ladder", folder=HERE)
    models = {name: model_probe(name, args.replies) for name in args.models.split(",")}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            budget=replace(PRESETS["deep"], starts=args.starts, episodes=10**6, seconds=1e6),
            policy=read_policy("author"),
            manifest=manifest,
            folder=Path(folder),
            sessions=4,
            max_steps=HORIZONS[environment] + 1,
        )
        probes: dict[str, Probe] = {"random": Uniform()}
        probes |= {probe.name: probe for probe, _ in models.values()}
        installed = Installed(probes=probes, sources=dict.fromkeys(probes, "benchmark"), checks=())
        async with UrlTarget(f"{base}/{environment}").open(settings.limits) as server:
            with Recording.open(settings, server.about) as recording:
                declared = read_declared(manifest)
                stage = Stage(server, settings, installed, recording.store, Audience(()), declared)
                await play(stage, models, declared.oracle.solutions(stage.starts(), args.starts))
                report(environment, stage.evidence(), [probe for probe, _ in models.values()])


async def play(
    stage: Stage, models: dict[str, tuple[ModelProbe, int]], solutions: tuple[Trajectory, ...]
) -> None:
    """Play every start with every probe, one model after the other."""
    starts = len(stage.starts())
    await stage.play([Need(rung="blind", starts=starts, repeats=DRAWS), Need(walks=solutions)])
    for name, (probe, port) in models.items():
        with child(ENVASSAY, "models", "serve", name, "--port", str(port)):
            began = time.monotonic()
            await stage.play([Need(rung="model", probes=(probe.name,), starts=starts)])
            SECONDS[name] = time.monotonic() - began
            await probe.close()


def report(environment: str, evidence: Evidence, models: list[ModelProbe]) -> None:
    """Print the rows of one environment, and what the ladder's own check says."""
    groups = [
        ("random", evidence.scored(["random"]), " | | "),
        *((probe.tier.name, evidence.scored([probe.name]), spent(probe)) for probe in models),
        ("solver", [row for row in evidence.oracle if row.score is not None], " | | "),
    ]
    for name, rows, cost in groups:
        mean = evidence.mean(rows)
        if isinstance(mean, Undefined):
            print(f"| {environment} | {name} | {mean.reason} | | {cost} |")
            continue
        low, high = mean.confidence_interval(0.95)
        told = f"{mean.estimate:.2f} [{low:.2f}, {high:.2f}]"
        print(f"| {environment} | {name} | {told} | {len(rows)} | {cost} |", flush=True)
    if CHECK in Registry("check").names():
        result = Registry("check").get(CHECK).make().decide(evidence)
        print(f"\n`{CHECK}` on {environment}: {result.status}, {result.reason}\n")
        for finding in result.findings:
            print(f"- {finding.claim}: {finding.saw}\n")


def spent(probe: ModelProbe) -> str:
    """Return calls, tokens and seconds of a model as cells of the table."""
    used, seconds = probe.ledger.used, SECONDS[probe.tier.name]
    return f"{used.calls} | {used.tokens} | {seconds:.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=40)
    parser.add_argument("--environments", default=",".join(HORIZONS))
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--replies", type=Path, help="keep replies there, so that a rerun is quick")
    args = parser.parse_args()
    print("| environment | probe | mean score, 95 % interval | episodes | calls | tokens | s |")
    print("|---|---|---|---:|---:|---:|---:|")
    with child(str(PYTHON), str(HERE / "llm_ladder_environments.py")) as base:
        for environment in args.environments.split(","):
            asyncio.run(ladder(environment, base, args))


if __name__ == "__main__":
    main()
