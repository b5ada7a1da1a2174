"""The same results on a real Ray cluster, also where a worker is killed.

make test-ray
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Served
from validator.engines.base import Broken, Engine, Finished, Job
from validator.engines.local import LocalEngine
from validator.engines.turns import Turns
from validator.manifest import Manifest
from validator.policy.model import read_policy
from validator.rollouts.budget import read_budget
from validator.rollouts.store import read_episodes
from validator.settings import Settings
from validator.tiers import Tiers

pytestmark = [pytest.mark.servers, pytest.mark.slow, pytest.mark.ray]
TURNS = Turns(at_once=2, per_host=2)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 * 2**20)
        yield
        ray.shutdown()


def job(url: str, folder: Path) -> Job:
    settings = Settings(
        budget=read_budget("200"),
        policy=read_policy("author"),
        manifest=Manifest(),
        folder=folder,
        probes=("noop", "random"),
    )
    return Job(
        url=url,
        settings=settings,
        tiers=Tiers(models={}, harnesses={}),
        replies=folder.parent / "replies.sqlite",
    )


def what_was_found(engine: Engine, jobs: list[Job]) -> dict[str, Any]:
    """Return by address all of the reports that the clock does not write."""
    found: dict[str, Any] = {}
    for outcome in engine.run(jobs):
        assert isinstance(outcome, Finished), outcome
        report = outcome.report.model_dump(mode="json")
        found[outcome.job.url] = {
            name: report[name] for name in ("ledger", "ladder", "tasks", "settings", "verdict")
        }
        assert (outcome.job.settings.folder / "run.json").exists()
    return found


def test_results_are_those_of_this_machine_also_where_a_worker_is_killed(
    cluster: None, served: Served, tmp_path: Path
) -> None:
    from validator.engines.ray import RayEngine

    urls = [served("toy"), served("one-slot")]
    here = what_was_found(LocalEngine(TURNS), [job(u, tmp_path / "here" / u[-5:]) for u in urls])
    killed: list[int] = []
    killer = threading.Thread(target=kill_one, args=(killed,))
    killer.start()
    there = what_was_found(RayEngine(TURNS), [job(u, tmp_path / "ray" / u[-5:]) for u in urls])
    killer.join()
    assert killed
    assert there == here


def kill_one(killed: list[int], task: str = "_validated") -> None:
    """Kill a worker in the middle of its first task, as a lost node would."""
    until = time.monotonic() + 60
    while time.monotonic() < until and not killed:
        at_work = subprocess.run(
            ["pgrep", "-f", f"ray::{task}"], capture_output=True, text=True
        ).stdout.split()
        if at_work:
            time.sleep(0.2)
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(at_work[0]), signal.SIGKILL)
                killed.append(int(at_work[0]))
        time.sleep(0.02)


def test_parts_of_one_target_are_played_by_workers_also_where_one_is_killed(
    cluster: None, served: Served, tmp_path: Path
) -> None:
    from validator.engines.ray import RayEngine

    url = served("toy")
    here = what_was_found(LocalEngine(TURNS), [job(url, tmp_path / "here")])
    killed: list[int] = []
    killer = threading.Thread(target=kill_one, args=(killed, "_played"))
    killer.start()
    there = what_was_found(RayEngine(TURNS), [job(url, tmp_path / "ray")])
    killer.join()
    assert killed
    assert there == here
    stored = [one.key for one in read_episodes(tmp_path / "ray" / "episodes")]
    assert len(stored) == len(set(stored))


def test_a_dead_target_is_told_as_at_home(cluster: None, tmp_path: Path) -> None:
    from validator.engines.ray import RayEngine

    (outcome,) = RayEngine(TURNS).run([job("http://127.0.0.1:1", tmp_path / "run")])
    assert isinstance(outcome, Broken)
    assert outcome.fault.exit_code == 2
    assert str(outcome.fault).startswith("http://127.0.0.1:1: no answer")
    assert outcome.job.settings.folder == tmp_path / "run"
