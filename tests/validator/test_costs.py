"""What language models used is on disk as soon as it is counted, however a run ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from probes.model.cache import Cache
from probes.model.endpoint import Place
from probes.model.tier import ModelProbe, Tier
from validator.costs import LEDGERS, kept

ROOT = Path(__file__).resolve().parents[2]
REPLY = {"model": "tiny", "usage": {"prompt_tokens": 10, "completion_tokens": 3}}
KILLED = """
import os, signal, sys
from pathlib import Path
from tests.validator.test_costs import REPLY, probe_of
from validator.costs import kept

one, other = probe_of("one"), probe_of("other")
with kept([one, other], Path(sys.argv[1])):
    one.ledger.book(REPLY, kept=False)
    one.ledger.book(REPLY, kept=True)
    one.ledger.refused()
    other.ledger.book(REPLY, kept=False)
    other.ledger.misread()
    other.ledger.retried(2)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def probe_of(name: str) -> ModelProbe:
    return ModelProbe(
        Tier(name=name, model="tiny"), Place.read("http://127.0.0.1:9/v1"), Cache(None)
    )


def test_a_run_that_is_killed_has_told_what_it_spent(tmp_path: Path) -> None:
    child = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    with (tmp_path / LEDGERS).open("a") as file:
        file.write('{"probe": "model:one", "used": {"calls": 99')  # cut off as it was written
    one, other, new = probe_of("one"), probe_of("other"), probe_of("new")
    with kept([one, other, new], tmp_path):
        assert (one.ledger.used.calls, one.ledger.used.tokens) == (2, 26)
        assert (one.ledger.fresh.calls, one.ledger.fresh.tokens) == (1, 13)
        assert (one.ledger.refusals, one.ledger.served) == (1, {"tiny": 2})
        assert (other.ledger.used.calls, other.ledger.unreadable) == (1, 1)
        assert other.ledger.retries == 2
        assert new.ledger.used.calls == 0
        one.ledger.book(REPLY, kept=False)
    lines = [json.loads(line) for line in (tmp_path / LEDGERS).read_text().splitlines()]
    assert {line["probe"]: line["used"]["calls"] for line in lines} == {
        "model:one": 3, "model:other": 1, "model:new": 0,
    }  # fmt: skip
    assert len(lines) == 3
    one.ledger.book(REPLY, kept=False)
    assert len((tmp_path / LEDGERS).read_text().splitlines()) == 3, "the run is over"


def test_what_is_no_record_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / LEDGERS).write_text('[1]\nnull\n{"used": 3}\n{"probe": "model:one", "used": -1}\n')
    one = probe_of("one")
    with kept([one], tmp_path):
        assert one.ledger.used.calls == 0


def test_a_run_without_models_writes_nothing(tmp_path: Path) -> None:
    with kept([], tmp_path):
        pass
    assert os.listdir(tmp_path) == []
