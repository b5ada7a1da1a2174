"""The reference validator finds our graders, runs them, and its policy accepts the answers."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Served

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / ".servers" / "openenv-0.10.0" / "bin" / "python"

pytestmark = pytest.mark.servers

RUN = """
import json, sys
from pathlib import Path
from types import SimpleNamespace
from openenv.validation.graders import Grader, Subject
from openenv.validation.policy import apply_policy, load_policy
from openenv.validation.report import CheckResult
from openenv.validation.runner import default_grader_registry
from openenv.validation.runtime.scheduler import execute_graders
from openenv.validation.types import Lane, Level

policy = load_policy("v2")
registry = default_grader_registry(policy)
loaded = registry.load_entry_points()
ours = [g for g in registry._graders.values() if type(g).__module__ == "validator.interop.graders"]
subject = Subject(
    root=Path("."), manifest=None, image_ref=None, outputs_dir=Path("."),
    running=SimpleNamespace(base_url=sys.argv[1]) if len(sys.argv) > 1 else None,
)
started = CheckResult(check_id="runtime.startup", status="pass", duration_s=0)
results = execute_graders(ours, subject, prior=[started])
print(json.dumps({
    "loaded": loaded,
    "graders": all(isinstance(g, Grader) and isinstance(g.level, Level) for g in ours),
    "statuses": {r.check_id: r.status.value for r in results},
    "verdict": apply_policy([started, *results], policy, Lane.LOCAL).value,
}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with our modules and their entry points, and nothing that they need."""
    from importlib.metadata import distribution

    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "validator", folder / "validator")
    about = folder / "envassay-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: envassay\nVersion: 0\n")
    (about / "entry_points.txt").write_text(
        distribution("envassay").read_text("entry_points.txt") or ""
    )
    return folder


def reference(site: Path, home: Path, *words: str) -> dict[str, object]:
    command = f"{sys.executable} -c 'from validator.cli.main import main; raise SystemExit(main())'"
    ended = subprocess.run(
        [PYTHON, "-c", RUN, *words],
        env=os.environ
        | {
            "PYTHONPATH": str(site),
            "ENVASSAY_COMMAND": command,
            "ENVASSAY_BUDGET": "quick",
            "ENVASSAY_HOME": str(home),
        },
        cwd=home,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    found: dict[str, object] = json.loads(ended.stdout)
    return found


def test_a_subject_that_was_not_started_is_skipped(site: Path, tmp_path: Path) -> None:
    found = reference(site, tmp_path)
    statuses = found["statuses"]
    assert isinstance(statuses, dict)
    assert (found["loaded"], found["graders"], found["verdict"]) == (13, True, "warn")
    assert set(statuses.values()) == {"skip"}


@pytest.mark.slow
def test_the_reference_runs_our_checks_on_a_real_server(
    site: Path, tmp_path: Path, served: Served
) -> None:
    found = reference(site, tmp_path, served("toy"))
    statuses = found["statuses"]
    assert isinstance(statuses, dict)
    assert len(statuses) == 13
    assert statuses["runtime.seed_control"] == "pass"
    assert "error" not in statuses.values()
