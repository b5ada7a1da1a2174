"""Validates the environments of this benchmark as a user would, and keeps each run's folder.

    python -m benchmarks.learning.validated [--fixed] [ID ...]

Standard budget, every built-in probe that needs no model, and the search and the learner. Runs are
kept in `.envassay/learning`; what is there is not played again, so it can be stopped and started.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.learning.environments import ENVIRONMENTS, LearningEnvironment
from benchmarks.learning.serving import served
from reports.model import Report, dump, load
from validator.cli.flags import DEFAULT_PROBES
from validator.installed import Installed
from validator.policy.model import read_policy
from validator.recording import EPISODES
from validator.rollouts.budget import PRESETS
from validator.run import validate
from validator.settings import Settings
from validator.table import EpisodeTable
from validator.targets.url import UrlTarget

KEPT = Path(__file__).resolve().parents[2] / ".envassay" / "learning"
PROBES = (*DEFAULT_PROBES.split(","), "search", "learner")
REPORT = "report.json"
SERVED_AT_ONCE = 8
SECONDS = 60.0
"""Clock of the search and of the learner: three times the usual, for machines that are busy."""


def folder_of(environment: str, kept: Path = KEPT) -> Path:
    """Return where the run of an environment is kept."""
    return kept / environment.replace("/", "--")


def validated(environment: LearningEnvironment, url: str, folder: Path, *, fixed: bool) -> Report:
    """Validate one environment and keep its report beside its episodes."""
    budget = PRESETS["standard"]
    policy = read_policy("author")
    settings = Settings(
        budget=replace(
            budget,
            search=replace(budget.search, seconds=SECONDS),
            learner=replace(budget.learner, seconds=SECONDS),
        ),
        policy=policy,
        manifest=environment.manifest,
        folder=folder,
        fixed=fixed,
        probes=PROBES,
        max_steps=environment.horizon + 1,
    )
    installed = Installed.choose(settings.probes, policy.severities)
    report = asyncio.run(validate(UrlTarget(url), settings, installed))
    (folder / REPORT).write_text(dump(report), "utf-8")
    return report


def kept_run(folder: Path) -> tuple[Report, EpisodeTable] | None:
    """Return what a finished run found and played, None where there is none."""
    path = folder / REPORT
    if not path.exists():
        return None
    return load(path.read_text("utf-8")), EpisodeTable.of(folder / EPISODES)


def validate_all(
    environments: Sequence[LearningEnvironment], *, fixed: bool, kept: Path = KEPT
) -> None:
    """Validate what is not kept yet, some environments served at a time, families in turn."""
    left = [one for one in environments if not (folder_of(one.id, kept) / REPORT).exists()]
    place: dict[str, int] = {}
    for one in left:
        place[one.id] = sum(other.family == one.family for other in left[: left.index(one)])
    left.sort(key=lambda one: place[one.id])
    for first in range(0, len(left), SERVED_AT_ONCE):
        some = left[first : first + SERVED_AT_ONCE]
        with served([one.id for one in some]) as urls:
            for one in some:
                began = time.monotonic()
                try:
                    report = validated(one, urls[one.id], folder_of(one.id, kept), fixed=fixed)
                except Exception as fault:  # one that is lost must not end the others
                    print(f"{one.id}: {type(fault).__name__}: {fault}"[:300], file=sys.stderr)
                    continue
                spent = time.monotonic() - began
                print(
                    f"{one.id}: {report.verdict.status}, {report.costs.steps} steps, {spent:.0f} s",
                    flush=True,
                )


def main() -> None:
    """Validate all, or those named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--fixed", action="store_true", help="play the whole plan")
    parser.add_argument("ids", nargs="*")
    args = parser.parse_args()
    chosen = [one for one in ENVIRONMENTS if not args.ids or one.id in args.ids]
    validate_all(chosen, fixed=args.fixed)


if __name__ == "__main__":
    main()
