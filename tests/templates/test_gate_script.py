"""The steps of the action and of the GitLab template, run as they stand."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from reports.model import load
from tests.conftest import Served

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "templates" / "gate.sh"
SERVER = ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"
COMMAND = f"{Path(sys.executable).parent / 'envassay'}"


def gate(folder: Path, **told: str) -> "subprocess.CompletedProcess[str]":
    """Run the script in a folder of its own, its variables as the action sets them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GATE_")}
    return subprocess.run(
        ["bash", str(SCRIPT)],
        cwd=folder,
        env=kept | {"ENVASSAY_COMMAND": COMMAND, "GATE_BUDGET": "24"} | told,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


@pytest.mark.servers
def test_it_serves_gates_and_ends_the_environment(tmp_path: Path) -> None:
    port = free_port()
    summary, told = tmp_path / "summary.md", tmp_path / "output"
    ended = gate(
        tmp_path,
        GATE_COMMAND=f'exec {SERVER} "$EXAMPLES/serve.py" elements --port "$PORT"',
        EXAMPLES=str(ROOT / "examples"),
        GATE_PORT=str(port),
        GATE_MANIFEST=str(ROOT / "examples" / "elements" / "envassay.yaml"),
        GITHUB_STEP_SUMMARY=str(summary),
        GITHUB_OUTPUT=str(told),
        GITHUB_ACTIONS="true",
    )
    report = load((tmp_path / "envassay-gate" / "report.json").read_text("utf-8"))
    assert ended.returncode == report.verdict.exit_code, ended.stderr
    assert told.read_text() == (
        f"verdict={report.verdict.status}\nreport=envassay-gate/report.json\n"
    )
    assert summary.read_text("utf-8") == (tmp_path / "envassay-gate" / "summary.md").read_text(
        "utf-8"
    )
    assert (tmp_path / "envassay-gate" / "junit.xml").stat().st_size > 1000
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5).close()


@pytest.mark.parametrize(
    ("told", "code", "said"),
    [
        ({}, 3, "give one of url, command and dockerfile; 0 were given"),
        ({"GATE_URL": "http://x", "GATE_COMMAND": "true"}, 3, "2 were given"),
        ({"GATE_COMMAND": "true", "GATE_PORT": "80; id"}, 3, "port is no number"),
        ({"GATE_COMMAND": "true", "GATE_WAIT_SECONDS": "x[$(id)]"}, 3, "wait-seconds is no number"),
        ({"GATE_COMMAND": "echo fell >&2; exit 7"}, 2, "the command ended before it served"),
        ({"GATE_COMMAND": "sleep 60", "GATE_WAIT_SECONDS": "1"}, 2, "nothing answers at"),
        ({"GATE_URL": "http://127.0.0.1:9"}, 2, "127.0.0.1"),
        ({"GATE_URL": "http://127.0.0.1:9", "GATE_POLICY": "autor"}, 3, "Did you mean 'author'"),
    ],
    ids=["none", "two", "port", "wait", "falls", "silent", "nobody", "policy"],
)
def test_what_cannot_be_gated_says_why(
    told: dict[str, str], code: int, said: str, tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    told = {"GATE_PORT": str(free_port()), **told}
    told |= {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    ended = gate(tmp_path, **told)
    assert (ended.returncode, said in ended.stderr) == (code, True), ended.stderr
    assert ended.stdout == "::error title=envassay::nothing was decided, see the log\n"
    assert summary.read_text("utf-8").startswith("## ❌ Nothing was decided\n")
    assert f"exit code {code}:" in summary.read_text("utf-8")
    assert not (tmp_path / "envassay-gate" / "report.json").exists()


def test_a_server_that_was_there_before_is_not_gated_instead(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        ended = gate(tmp_path, GATE_COMMAND="sleep 60", GATE_PORT=port)
    assert ended.returncode == 3
    assert f"port {port} is taken" in ended.stderr


def test_nothing_of_an_earlier_run_passes_for_this_one(tmp_path: Path) -> None:
    kept, output = tmp_path / "kept", tmp_path / "envassay-gate"
    kept.write_text("mine")
    output.mkdir()
    for name in ("report.json", "junit.xml", "results.sarif", "summary.md"):
        (output / name).write_text("PASS")
    (output / "server.log").symlink_to(kept)
    summary, port = tmp_path / "summary", str(free_port())
    told = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(tmp_path / "told")}
    ended = gate(tmp_path, GATE_COMMAND="echo fell", GATE_PORT=port, **told)
    assert ended.returncode == 2
    assert sorted(path.name for path in output.iterdir()) == ["server.log"]
    assert kept.read_text() == "mine"
    assert "PASS" not in summary.read_text("utf-8")


def test_nothing_that_is_told_is_run(tmp_path: Path) -> None:
    evil = "$(touch evil)`touch evil`; touch evil"
    told = {f"GATE_{name}": evil for name in ("MANIFEST", "BASELINE", "MERGE", "POLICY", "BUDGET")}
    ended = gate(tmp_path, GATE_URL=f"http://127.0.0.1:9/{evil}", **told)
    assert ended.returncode in (2, 3)
    assert not (tmp_path / "evil").exists()


def test_a_container_is_built_started_gated_and_removed(tmp_path: Path) -> None:
    """The commands to Docker, with a stand-in for it: there may be no daemon."""
    stand_in = tmp_path / "bin" / "docker"
    stand_in.parent.mkdir()
    stand_in.write_text(
        "#!/usr/bin/env bash\n"
        f'printf "%s\\n" "$*" >>"{tmp_path}/docker.log"\n'
        "case $1 in\n"
        "  build) while [ $# -gt 0 ]; do\n"
        '    [ "$1" = --iidfile ] && echo sha256:1 >"$2"\n'
        "    shift; done ;;\n"
        "  run) echo c1 ;;\n"
        "esac\n"
    )
    stand_in.chmod(0o755)
    ended = gate(
        tmp_path,
        PATH=f"{stand_in.parent}:{os.environ['PATH']}",
        GATE_DOCKERFILE="server/Dockerfile",
        GATE_PORT="9",
        GATE_WAIT_SECONDS="1",
    )
    assert ended.returncode == 2, ended.stderr
    calls = (tmp_path / "docker.log").read_text().splitlines()
    assert calls[0].endswith("--file server/Dockerfile -- .")
    assert calls[1] == "run --detach --publish 127.0.0.1:9:8000 sha256:1"
    assert calls[-1] == "rm --force c1"


def test_a_signal_ends_the_environment_too(tmp_path: Path) -> None:
    running = subprocess.Popen(
        ["bash", str(SCRIPT)],
        cwd=tmp_path,
        env=os.environ
        | {
            "GATE_COMMAND": "echo $$ >pid; sleep 300",
            "GATE_PORT": str(free_port()),
            "GATE_WAIT_SECONDS": "60",
        },
        stderr=subprocess.DEVNULL,
    )
    path = tmp_path / "pid"
    while not (path.exists() and path.read_text().strip()):
        assert running.poll() is None
    running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(int(path.read_text()), 0)


def schema_faults(name: str, path: Path) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{name}", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if ended.returncode == 0 else ended.stdout + ended.stderr


def test_the_action_follows_githubs_schema() -> None:
    assert schema_faults("github-actions", ROOT / "action.yml") == ""


def test_the_template_follows_gitlabs_schema() -> None:
    assert schema_faults("gitlab-ci", ROOT / "templates" / "gitlab.yml") == ""


def test_inputs_of_the_action_reach_the_shell_as_variables_only() -> None:
    action: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    steps = action["runs"]["steps"]
    assert all("${{" not in step["run"] for step in steps)
    assert "secrets." not in json.dumps(steps)
    assert "github.token" not in json.dumps(steps)
    used = json.dumps([step["env"] for step in steps])
    assert [name for name in action["inputs"] if f"inputs.{name} }}" not in used] == []
    script = SCRIPT.read_text("utf-8")
    variables = {name for step in steps for name in step["env"] if name.startswith("GATE_")}
    assert [name for name in variables - {"GATE_SCRIPT"} if name not in script] == []
    assert "eval" not in script


def test_the_hooks_are_commands_that_are_there() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    manifests = sorted(str(path) for path in (ROOT / "examples").glob("*/envassay.yaml"))
    entries = {hook["id"]: hook["entry"].split() for hook in hooks}
    words = [*entries["envassay-manifest"][1:], *manifests]
    ended = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) == len(manifests)
    assert entries["envassay-policy"] == ["envassay", "policy", "check"]


@pytest.mark.servers
def test_a_url_is_gated_as_it_is(served: Served, tmp_path: Path) -> None:
    ended = gate(tmp_path, GATE_URL=served("toy"))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "episode" in (tmp_path / "envassay-gate" / "junit.xml").read_text("utf-8")
