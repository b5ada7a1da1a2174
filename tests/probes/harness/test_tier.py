"""Commands as probes: real processes, well-behaved and not."""

import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from probes.base import Finished, Json, Lane, Seen, Stuck, Unplayable
from probes.harness.harness import Harness
from probes.harness.tier import HarnessProbe
from tests.probes.harness import playing
from tests.probes.harness.playing import seen

ROOT = Path(__file__).resolve().parents[3]
LANE = Lane(
    action_schema={
        "type": "object",
        "properties": {"move": {"enum": ["up", "down"]}, "far": {"type": "integer", "minimum": 2}},
        "required": ["move", "far"],
    },
    tools=None,
)
SPEAKS = "import json, os, sys, time\nsay = lambda m: print(json.dumps(m), flush=True)\n"


def probe_of(script: str, **told: Any) -> HarnessProbe:
    told = {"act_seconds": 20.0, **told}
    command = (sys.executable, "-c", SPEAKS + script)
    return HarnessProbe(
        Harness(name="x", command=command, environment={"PATH": os.environ["PATH"]}, **told)
    )


def plays(probe: HarnessProbe, *looks: Seen) -> list[Json]:
    return playing.plays(probe, *looks, lane=LANE)


def test_the_agent_of_the_page_plays(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "harness.md").read_text("utf-8")
    _, script = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    agent = tmp_path / "agent.py"
    agent.write_text(script)
    harness = Harness(name="page", command=(sys.executable, str(agent)), environment={})
    found = plays(HarnessProbe(harness), seen(), seen(1, reward=1.0))
    assert found == [{"move": "up", "far": 2}] * 2


def test_it_is_told_what_an_agent_sees_and_no_more() -> None:
    script = (
        "begin = json.loads(input())\n"
        "for line in sys.stdin:\n"
        "    say({'action': {'begin': begin, 'seen': json.loads(line), 'env': dict(os.environ),"
        " 'files': os.listdir()}})\n"
    )
    first, second = plays(probe_of(script), seen(), seen(1, reward=0.5, error="no", aside="secret"))
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    begin = first["begin"]
    assert isinstance(begin, dict)
    assert begin.keys() == {"type", "protocol", "action_schema", "tools", "seed"}
    assert begin["action_schema"] == LANE.action_schema
    assert second["seen"] == {
        "type": "act", "step": 1, "observation": "a door", "reward": 0.5, "error": "no",
    }  # fmt: skip
    assert isinstance(first["env"], dict)
    assert first["env"].keys() <= {"PATH", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert first["files"] == []


def test_noise_on_its_output_is_passed_over() -> None:
    script = "print('thinking…')\nsay({'log': 1})\nprint('[1, 2')\nsay({'action': 3})\ninput()\n"
    assert plays(probe_of(script), seen()) == [3]


def test_it_may_be_done_or_give_up() -> None:
    with pytest.raises(Finished):
        plays(probe_of("say({'done': True})\ntime.sleep(9)"), seen())
    with pytest.raises(Stuck, match="gives up: too hard"):
        plays(probe_of("say({'give_up': 'too hard'})\ntime.sleep(9)"), seen())


@pytest.mark.parametrize(
    ("script", "why", "told"),
    [
        ("time.sleep(60)", "no action within 0.5 s", {"act_seconds": 0.5}),
        ("sys.exit('out of luck')", "ended with code 1: out of luck", {}),
        ("print('x' * (2**20 + 10), flush=True)\ntime.sleep(60)", "a line of more than", {}),
        ("while True: print('y' * 1000)", "wrote 4194304 bytes without an answer", {}),
        ("say({'action': float('nan')})", "ended with code 0", {}),
    ],
)
def test_what_goes_wrong_ends_the_episode_and_three_the_rung(
    script: str, why: str, told: dict[str, Any]
) -> None:
    probe = probe_of(script, **told)
    for _ in range(3):
        with pytest.raises(Stuck, match=why):
            plays(probe, seen())
    with pytest.raises(Unplayable, match=f"3 episodes in a row failed, the last: .*{why}"):
        plays(probe, seen())


def test_a_command_that_is_not_there_ends_the_rung() -> None:
    harness = Harness(name="x", command=("/no/such/command",), environment={})
    with pytest.raises(Unplayable, match=r"/no/such/command cannot be started \(No such file"):
        plays(HarnessProbe(harness), seen())


def test_all_that_it_started_ends_with_the_episode(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    script = (
        "import signal, subprocess\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(mark)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "say({'action': 1})\n"
        "time.sleep(60)\n"
    )
    began = time.monotonic()
    assert plays(probe_of(script), seen()) == [1]
    assert time.monotonic() - began < 30
    for pid in map(int, mark.read_text().split()):
        assert not is_running(pid)


def is_running(pid: int) -> bool:
    """Say whether a process runs; one that has ended and is not waited for does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def test_a_huge_observation_comes_as_a_text_that_is_cut() -> None:
    script = (
        "input()\n"
        "seen = json.loads(sys.stdin.readline())\n"
        "say({'action': [type(seen['observation']).__name__, len(seen['observation'])]})\n"
    )
    (found,) = plays(probe_of(script), seen(observation={"page": "z" * (3 * 2**20)}))
    assert isinstance(found, list)
    kind, length = found
    assert kind == "str"
    assert isinstance(length, int)
    assert 2**20 <= length <= 2**20 + 100


def test_its_version_changes_with_the_command_and_tells_none_of_it() -> None:
    one, other = probe_of("1"), probe_of("2")
    assert one.version != other.version
    assert "python" not in one.version + repr(one.harness)
    assert probe_of("1", version="mine 3").version == "1 mine 3"


def test_no_episode_is_begun_when_its_time_is_up() -> None:
    probe = probe_of("say({'action': 1})\ninput()", seconds=1e-9)
    plays(probe, seen())
    with pytest.raises(Unplayable, match="its budget of 1e-09 seconds is spent"):
        plays(probe, seen())
