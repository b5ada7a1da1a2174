"""What is no difference makes none: a rough road, other names, another order, a shifted range.

make test-metamorphic
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from reports.model import Report
from tests.calibration.labels import read
from tests.calibration.metamorphoses import Change, Changed, renamed, reordered, shifted
from tests.calibration.nursery import Nursery
from tests.servers.jitter import jittery
from validator.cli.flags import DEFAULT_PROBES
from validator.installed import Installed
from validator.manifest import Manifest, parse_manifest
from validator.policy.model import read_policy
from validator.rollouts.budget import PRESETS
from validator.run import validate
from validator.settings import Settings
from validator.targets.base import Target
from validator.targets.url import UrlTarget

pytestmark = [pytest.mark.servers, pytest.mark.slow, pytest.mark.metamorphic]

ANY = (
    "seed/seed_dropped", "seed/any_seed", "ndet/noisy_reward", "vac/floor_above_zero",
    "flaky/moody_judge", "infra/crash_is_zero", "infra/honest_error", "state/options_stick",
    "term/pays_after_done", "rnum/percent", "wire/renamed_field", "wire/optional_fields",
    "signal/always_one", "signal/mixed_difficulty", "leak/reveal_after_end",
)  # fmt: skip
ON_A_ROUGH_ROAD = (
    "seed/seed_dropped", "flaky/moody_judge", "state/options_stick", "conc/cross_talk",
    "conc/eight_declared", "term/pays_after_done", "signal/always_one", "signal/mixed_difficulty",
)  # fmt: skip
WITH_TASKS = (
    "flaky/moody_judge", "flaky/seeded_judge", "state/options_stick", "leak/options_shown",
    "task/one_for_all", "rnum/boolean",
)  # fmt: skip
OF_ONE_STEP = (
    "flaky/moody_judge", "flaky/seeded_judge", "leak/options_shown", "signal/always_one",
    "task/one_for_all", "task/two_splits", "vac/quiet_is_safe",
)  # fmt: skip


def verdicts(target: Target, manifest: dict[str, Any], folder: Path, where: Path) -> dict[str, str]:
    """Return what each check says on a quick budget: pass, fail, ask or skip."""
    return {
        result.id: "ask" if result.question else result.status
        for result in judged(
            target, parse_manifest(manifest, where="test", folder=where), folder
        ).results
    }


def judged(target: Target, manifest: Manifest, folder: Path) -> Report:
    policy, probes = read_policy("author"), tuple(DEFAULT_PROBES.split(","))
    horizon = manifest.envassay.horizon
    settings = Settings(
        budget=PRESETS["quick"],
        policy=policy,
        manifest=manifest,
        folder=folder,
        probes=probes,
        max_steps=horizon + 1 if isinstance(horizon, int) else 200,
    )
    installed = Installed.choose(probes, policy.severities)
    return asyncio.run(validate(target, settings, installed))


def hold(
    served: Nursery, name: str, folder: Path, change: Change | None = None, *, rough: bool = False
) -> None:
    """Assert that an environment is judged the same, changed or on a rough road, as it is."""
    one = read(name)
    manifest = dict(one.manifest)
    with served.serving(name) as url:
        plain = verdicts(UrlTarget(url), manifest, folder / "plain", one.folder)
    with served.serving(name) as url:
        if rough:
            with jittery(url) as road:
                other = verdicts(UrlTarget(road), manifest, folder / "rough", one.folder)
        else:
            assert change is not None
            target = Changed(UrlTarget(url), change)
            other = verdicts(target, change.declared(manifest), folder / "changed", one.folder)
    decided = {"pass", "fail"}
    turned = {
        check: (plain[check], other[check])
        for check in plain
        if {plain[check], other[check]} <= decided and plain[check] != other[check]
    }
    lost = {
        check: (plain[check], other[check])
        for check in one.must
        if plain[check] in ("fail", "ask") and other[check] not in ("fail", "ask")
    }
    assert (turned, lost) == ({}, {})
    assert {check for check, said in other.items() if said == "fail"} <= one.must | one.may


@pytest.mark.parametrize("name", ON_A_ROUGH_ROAD)
def test_a_jittery_road_changes_no_verdict(served: Nursery, tmp_path: Path, name: str) -> None:
    hold(served, name, tmp_path, rough=True)


@pytest.mark.parametrize("name", ANY)
def test_fields_in_another_order_change_no_verdict(
    served: Nursery, tmp_path: Path, name: str
) -> None:
    hold(served, name, tmp_path, reordered())


@pytest.mark.parametrize("name", WITH_TASKS)
def test_tasks_of_other_names_change_no_verdict(served: Nursery, tmp_path: Path, name: str) -> None:
    hold(served, name, tmp_path, renamed("ticket"))


@pytest.mark.parametrize("name", OF_ONE_STEP)
def test_rewards_shifted_with_their_range_change_no_verdict(
    served: Nursery, tmp_path: Path, name: str
) -> None:
    hold(served, name, tmp_path, shifted())
