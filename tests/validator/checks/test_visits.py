"""One environment on two hosts, and on two visits."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reports.model import CheckResult, Report, dump, load
from reports.signing import sealed
from tests.validator.judging import answer, judge
from tests.validator.memory import Guess, MemoryTarget, World
from validator.baseline import Baseline
from validator.checks.base import Check
from validator.checks.hub.cross_host_determinism import CrossHostDeterminism
from validator.checks.hub.immutable_versioning import ImmutableVersioning
from validator.checks.runtime.seed_control import SeedControl
from validator.checks.runtime.startup import Startup
from validator.checks.semantic.floor_gap import FloorGap
from validator.cli.reading import read_baseline
from validator.client.limits import Limits
from validator.errors import SettingsError, TargetError
from validator.targets.base import fingerprint_of

TWIN = "hub.cross_host_determinism"
VERSION = "hub.immutable_versioning"
DECLARED = {"score_range": [0.0, 1.0], "horizon": 3}
TELLING: dict[str, Any] = {
    "schema": {"action": {"type": "object"}},
    "metadata": {"name": "guess", "version": "1.0.0"},
    "tools": [{"name": "look"}],
    "tasks": {"train": 4},
    "read tasks": {},
}


class OtherSecrets(Guess):
    """Draws otherwise from the same seed."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        return super().reset({"seed": data.get("seed", 0) + 1})


class OtherPay(Guess):
    """Pays half."""

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        return found | {"reward": found["reward"] / 2}


class Rounded(Guess):
    """Shows a number whose last bits are those of its host."""

    ratio = 1 / 3

    def step(self, action: Any) -> dict[str, Any]:
        found = super().step(action)
        found["observation"]["ratio"] = self.ratio
        return found


class RoundedElsewhere(Rounded):
    """The same on another processor."""

    ratio = 1 / 3 + 1e-12


class Restless(Guess):
    """Never repeats."""

    resets = 0

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        Restless.resets += 1
        return super().reset({"seed": Restless.resets})


class Broken(Guess):
    """Never begins."""

    def reset(self, data: dict[str, Any]) -> dict[str, Any]:
        raise SystemExit


def served(
    world: Callable[[], World] = Guess, *, version: str = "1.0.0", **telling: Any
) -> MemoryTarget:
    """Return a target that says of itself what these parts say."""
    target = MemoryTarget(world)
    said = TELLING | telling
    target.about = replace(
        target.about, version=version, telling=said, fingerprint=fingerprint_of(said)
    )
    return target


# Two hosts.


def twins(folder: Path, here: MemoryTarget, there: Any, **declared: Any) -> CheckResult:
    checks: tuple[Check, ...] = (Startup(), SeedControl(), CrossHostDeterminism())
    report = judge(here, folder, checks=checks, twin=there, declared=DECLARED | declared)
    return answer(report, TWIN)


@pytest.mark.parametrize(
    ("here", "there", "status", "saying"),
    [
        (Guess, Guess, "pass", "6 of 6 episodes go the same"),
        (Guess, OtherSecrets, "fail", "go otherwise"),
        (Guess, OtherPay, "fail", "go otherwise"),
        (Rounded, RoundedElsewhere, "pass", "6 of them but for the last bits"),
        (Restless, Restless, "skip", "no episode repeats"),
        (Guess, Restless, "skip", "no episode repeats"),
        (Guess, Broken, "skip", "the twin could not be played"),
    ],
)
def test_the_same_actions_are_played_on_both(
    tmp_path: Path, here: type[World], there: type[World], status: str, saying: str
) -> None:
    found = twins(tmp_path, served(here), served(there))
    assert (found.status, saying in found.reason) == (status, True), found.reason
    assert bool(found.needed) == (status == "skip")


def test_what_differs_on_the_twin_is_named(tmp_path: Path) -> None:
    finding = twins(tmp_path, served(), served(OtherPay)).findings[0]
    assert "another reward on the twin" in finding.claim
    assert finding.saw == "1.0 here, 0.5 there, each time"
    assert "http://memory.localhost:1" in finding.where


def test_hosts_that_are_not_of_one_version_are_not_compared(tmp_path: Path) -> None:
    found = twins(tmp_path / "a", served(), served(OtherPay, version="1.0.1"))
    assert (found.status, "different versions" in found.reason) == ("skip", True)
    found = twins(tmp_path / "b", served(), served(tools=[{"name": "listen"}]))
    assert (found.status, "tools, $[0].name" in found.reason) == ("fail", True)
    found = twins(tmp_path / "c", served(), served(metadata={"host": "b", "version": "1.0.0"}))
    assert found.status == "pass"


def test_declared_chance_is_no_difference_of_hosts(tmp_path: Path) -> None:
    found = twins(tmp_path, served(), served(OtherSecrets), stochastic=True)
    assert (found.status, "as declared" in found.reason) == ("skip", True)


class Away:
    """A target that is not there."""

    def open(self, limits: Limits) -> Any:
        raise TargetError("no answer", where="http://away:1", do="Start it.")


def test_a_twin_that_is_not_there_costs_the_run_nothing_else(tmp_path: Path) -> None:
    found = twins(tmp_path, served(), Away())
    assert (found.status, "http://away:1" in found.reason) == ("skip", True)
    found = twins(tmp_path / "none", served(), None)
    assert (found.status, "--twin URL" in found.needed) == ("skip", True)


# Two visits.


CHECKS: tuple[Check, ...] = (Startup(), SeedControl(), FloorGap(), ImmutableVersioning())


def visit(
    folder: Path, target: MemoryTarget, baseline: Baseline | None = None, **told: Any
) -> Report:
    declared = told.pop("declared", DECLARED)
    return judge(target, folder, checks=CHECKS, baseline=baseline, declared=declared, **told)


def earlier(folder: Path, target: MemoryTarget, **told: Any) -> Path:
    """Visit and file the report; return the run's folder."""
    report = visit(folder, target, **told)
    (folder / "run" / "report.json").write_text(dump(report), "utf-8")
    return folder / "run"


def alone(folder: Path, run: Path, *, parts: bool = True) -> Baseline:
    """Return a copy of the report that nothing lies beside."""
    report = json.loads((run / "report.json").read_text("utf-8"))
    if not parts:
        del report["target"]["parts"]
    path = folder / "copy.json"
    path.write_text(dump(sealed(load(json.dumps(report)))), "utf-8")
    return read_baseline(path)


def held(folder: Path, then: MemoryTarget, now: MemoryTarget, **told: Any) -> CheckResult:
    """Return the answer on the second of two visits, the first one's folder at hand."""
    run = earlier(folder / "then", then, **told)
    return answer(visit(folder / "now", now, read_baseline(run), **told), VERSION)


@pytest.mark.parametrize(
    ("then", "now", "status", "saying"),
    [
        (served(), served(), "pass", "6 of 6 episodes of then"),
        (served(), served(OtherSecrets), "fail", "go otherwise now"),
        (served(), served(OtherPay), "fail", "go otherwise now"),
        (served(), served(OtherPay, version="1.1.0"), "pass", "the version is another"),
        (served(), served(schema={"action": {}}), "fail", "its schema has changed"),
        (served(), served(metadata={"name": "other"}), "fail", "its metadata has changed"),
        (served(), served(tools=[{"name": "listen"}]), "fail", "its tools has changed"),
        (served(), served(tasks={"train": 5}), "fail", "its tasks has changed"),
        (served(), served(metadata=TELLING["metadata"] | {"uptime": 7}), "fail", "metadata"),
        (served(), served(Restless), "skip", "episodes do not repeat"),
        (served(Restless), served(), "skip", "episodes do not repeat"),
    ],
)
def test_what_a_version_does_stays(
    tmp_path: Path, then: MemoryTarget, now: MemoryTarget, status: str, saying: str
) -> None:
    found = held(tmp_path, then, now)
    assert (found.status, saying in found.reason) == (status, True), found.reason


def test_ids_and_clocks_in_the_description_are_no_change(tmp_path: Path) -> None:
    times = [{"name": "guess", "started_at": f"2026-05-0{day}T10:00:00Z"} for day in (1, 2)]
    found = held(tmp_path, served(metadata=times[0]), served(metadata=times[1]))
    assert found.status == "pass"


def test_the_first_difference_is_named(tmp_path: Path) -> None:
    finding = held(tmp_path / "a", served(), served(tools=[{"name": "listen"}])).findings[0]
    assert finding.where == "tools, $[0].name, version '1.0.0'"
    assert finding.saw == '"look" then, "listen" now'
    finding = held(tmp_path / "b", served(), served(OtherPay)).findings[0]
    assert "another reward between two visits" in finding.claim
    assert "1.0 then, as often as it was repeated; 0.5 now, each time" in finding.saw


def test_an_environment_without_a_version_is_asked_for_one(tmp_path: Path) -> None:
    found = held(tmp_path, served(version=""), served(OtherPay, version=""))
    assert (found.status, found.question) == ("fail", True)
    assert found.reason.startswith("no version is named")


def test_declared_chance_leaves_the_description(tmp_path: Path) -> None:
    told = {"declared": DECLARED | {"stochastic": True}}
    assert held(tmp_path / "a", served(), served(OtherPay), **told).status == "pass"
    found = held(tmp_path / "b", served(), served(schema={}), **told)
    assert found.status == "fail"


@pytest.mark.parametrize(
    ("now", "status", "saying"),
    [
        (served(), "pass", "starts and probes score the same"),
        (served(OtherPay), "fail", "score otherwise now"),
        (served(schema={}), "fail", "its schema has changed"),
    ],
)
def test_a_report_alone_is_held_by_its_scores_and_hashes(
    tmp_path: Path, now: MemoryTarget, status: str, saying: str
) -> None:
    baseline = alone(tmp_path, earlier(tmp_path / "then", served()))
    assert (baseline.table, baseline.served) == (None, None)
    found = answer(visit(tmp_path / "now", now, baseline), VERSION)
    assert (found.status, saying in found.reason) == (status, True), found.reason


def test_a_report_of_before_hashes_were_kept_by_part(tmp_path: Path) -> None:
    baseline = alone(tmp_path, earlier(tmp_path / "then", served()), parts=False)
    found = answer(visit(tmp_path / "a", served(), baseline), VERSION)
    assert found.status == "pass"
    found = answer(visit(tmp_path / "b", served(metadata={}), baseline), VERSION)
    assert "its fingerprint has changed" in found.reason


def test_scores_of_runs_that_were_told_otherwise_are_not_compared(tmp_path: Path) -> None:
    baseline = alone(tmp_path, earlier(tmp_path / "then", served(OtherPay)))
    found = answer(visit(tmp_path / "a", served(), baseline, seed=5), VERSION)
    assert (found.status, "other seeds" in found.reason) == ("skip", True)
    found = answer(visit(tmp_path / "b", served(), baseline, max_steps=5), VERSION)
    assert (found.status, "or steps" in found.reason) == ("skip", True)
    told = {"declared": DECLARED | {"concurrency": 2}}
    found = answer(visit(tmp_path / "c", served(), baseline, **told), VERSION)
    assert (found.status, "declarations" in found.reason) == ("skip", True)


def test_without_an_earlier_report_nothing_is_decided(tmp_path: Path) -> None:
    found = answer(visit(tmp_path, served()), VERSION)
    assert (found.status, "--baseline REPORT" in found.needed) == ("skip", True)


# Files that are no earlier report.


@pytest.mark.parametrize(
    ("text", "saying"),
    [(None, "cannot be read"), ("{}", "no report"), ("[", "no report"), ("\xff", "no report")],
)
def test_a_bad_file_is_one_clear_line(tmp_path: Path, text: str | None, saying: str) -> None:
    path = tmp_path / "report.json"
    if text is not None:
        path.write_text(text, "utf-8")
    for named in (path, tmp_path):
        with pytest.raises(SettingsError, match=saying) as fault:
            read_baseline(named)
        assert fault.value.exit_code == 3
        assert "\n" not in str(fault.value)


def test_broken_episodes_beside_a_report_are_told(tmp_path: Path) -> None:
    run = earlier(tmp_path, served())
    for file in (run / "episodes").iterdir():
        file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(SettingsError, match="its episodes cannot be read"):
        read_baseline(run)


def test_episodes_of_another_run_are_left_alone(tmp_path: Path) -> None:
    run = earlier(tmp_path, served())
    told = json.loads((run / "run.json").read_text("utf-8"))
    (run / "run.json").write_text(json.dumps(told | {"fingerprint": "other"}), "utf-8")
    assert read_baseline(run).table is None
