"""A real language model of 135 million parameters, served on this machine: 20 calls at most."""

import asyncio
import select
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
import pytest

from probes.base import Json, Lane, Seen
from probes.model.cache import Cache
from probes.model.endpoint import Pace, Place
from probes.model.tier import ModelProbe, Tier
from validator.cli.places import models_cache
from validator.local_models import KNOWN, kept

NAME = "smollm2-135m"
COMMAND = [sys.executable, "-c", "from validator.cli.main import main; raise SystemExit(main())"]
START_SECONDS = 120.0


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    if find_spec("xllamacpp") is None:
        pytest.skip("the engine is not installed: pip install 'envassay[local-llm]'")
    if kept(KNOWN[NAME], models_cache()) is None:
        pytest.skip(f"the model is not here: envassay models fetch {NAME}")
    command = [*COMMAND, "models", "serve", NAME, "--context", "2048"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        try:
            assert child.stdout is not None
            ready, _, _ = select.select([child.stdout], [], [], START_SECONDS)
            line = child.stdout.readline() if ready else ""
            name, _, found = line.strip().partition("\t")
            assert name == NAME
            yield found
        finally:
            child.kill()


def test_it_plays_by_the_schema(url: str) -> None:
    schema: Json = {
        "type": "object",
        "properties": {"answer": {"type": "integer", "minimum": 0, "maximum": 99}},
        "required": ["answer"],
    }
    pace = Pace(concurrency=1, call_seconds=60.0)
    probe = ModelProbe(Tier(name="small", reply_tokens=32, pace=pace), Place.read(url), Cache(None))

    async def answers() -> list[Json]:
        found = []
        for sum_ in ("4 + 3", "7 + 9", "2 + 2", "8 + 0"):
            agent = probe.begin(Lane(action_schema=schema, tools=None), np.random.default_rng(0))
            question: Json = {"question": f"Calculate {sum_}."}
            found.append(await agent.act(Seen(observation=question, step=0)))
        await probe.close()
        return found

    found = asyncio.run(answers())
    for action in found:
        assert isinstance(action, dict)
        assert list(action) == ["answer"]
        assert isinstance(action["answer"], int)
        assert 0 <= action["answer"] <= 99
    right: list[Json] = [{"answer": number} for number in (7, 16, 4, 8)]
    assert any(one == other for one, other in zip(found, right, strict=True)), "it can do sums"
    assert probe.version == f"1 {NAME} schema t=0"
    assert probe.ledger.served == {NAME: 5}
    assert (probe.ledger.used.calls, probe.ledger.used.unmetered, probe.ledger.unreadable) == (
        5,
        0,
        0,
    )
    assert probe.ledger.used.cached_tokens > 100, "rules and examples are kept between calls"
