"""Whole runs with language models and harnesses: through the command, on a real server."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.model import load
from tests.conftest import Served
from tests.servers.endpoint import KEY, Answer, Scripted, completion, error, held
from validator.cli.main import main
from validator.rollouts.store import read_episodes

pytestmark = pytest.mark.servers

AGENT = (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    if json.loads(line)['type'] == 'act':\n"
    "        print(json.dumps({'action': {'number': 3}}), flush=True)\n"
)


def guesses(body: dict[str, Any], number: int) -> Answer:
    return completion(held(body) or json.dumps({"number": len(body["messages"]) % 10}))


def test_models_and_harnesses_stand_on_the_ladder_with_what_they_took(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVASSAY_MODEL_API_KEY", KEY)
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT)
    home = tmp_path / "home"
    command = ["validate", served("toy"), "--budget", "40", "--home", str(home), "-q"]
    command += [
        "--no-track",
        "--probes",
        "noop,random",
        "--harness",
        f"cat={sys.executable} {agent}",
    ]

    def run(url: str, down: str) -> Any:
        words = [*command, "--model", f"good={url}", "--model", f"down={down}#gone"]
        main([*words, "--json", str(tmp_path / "r.json")])
        return load((tmp_path / "r.json").read_text())

    with Scripted(guesses) as endpoint, Scripted(lambda b, n: error(404, "no model")) as down:
        report = run(endpoint.url, down.url)
        asked = len(endpoint.requests)
        assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
        again = run(endpoint.url, down.url)
        assert len(endpoint.requests) == asked, "a rerun asks nothing"
    rungs = {rung.probe: rung for rung in report.ladder}
    assert rungs["model:good"].version == "1 tiny-1 schema t=0"
    assert rungs["model:good"].mean_score.n == 8
    assert rungs["harness:cat"].mean_score.n == 8
    assert rungs["model:down"].mean_score.n == 0
    assert "status 404: no model" in report.ledger.unplayable["model:down"]
    assert list(report.ledger.unplayable) == ["model:down"]
    assert report.ledger.stopped == ""
    use = report.costs.models["model:good"]
    assert use.calls >= asked >= 2
    assert (use.prompt_tokens, use.served) == (10 * use.calls, {"tiny-1": use.calls})
    assert report.costs.tokens == 15 * use.calls
    assert report.costs.models == again.costs.models
    assert report.times.paid["model:good"].calls == asked
    assert again.times.paid["model:good"].calls == 0
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    for folder in tmp_path.rglob("episodes"):
        texts = [json.dumps(stored.record) for stored in read_episodes(folder)]
        assert texts
        assert not any(KEY in text for text in texts)
