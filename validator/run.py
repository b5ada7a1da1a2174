"""The whole road for one target, in one function."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from probes.base import Lane, Probe
from reports.model import Report
from validator.assemble import assemble
from validator.checks.base import Check
from validator.decide import decide_all
from validator.errors import SettingsError
from validator.events import Audience, Listener, Reached, RunPlanned
from validator.evidence import Evidence
from validator.policy.verdict import reach_verdict
from validator.recording import Recording
from validator.rollouts.engine import Course, run_plan
from validator.rollouts.plan import plan_episodes
from validator.rollouts.play import Rules
from validator.settings import Settings
from validator.starts import choose_starts
from validator.table import EpisodeTable
from validator.targets.base import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What the registry made for a run, with where each came from."""

    probes: dict[str, Probe]
    checks: tuple[Check, ...]
    sources: dict[str, str]
    """Distribution of each probe."""


async def validate(
    target: Target, settings: Settings, installed: Installed, listeners: Iterable[Listener] = ()
) -> Report:
    """Take one target down the whole road and return what was found.

    Everything that was run is in `settings.folder` when this returns, and whatever ends it
    early: a run that is given the same folder again goes on from there.

    Raises:
        TargetError: nothing usable at the address.
        SettingsError: the folder holds another run.
    """
    audience = Audience(listeners)
    began = time.time()
    scale = settings.budget.scale(settings.group_size)
    async with target.open(settings.limits) as server:
        about = server.about
        audience.tell(Reached(name=about.name, url=about.url))
        needs = [need for check in installed.checks for need in check.needs(scale)]
        starts = choose_starts(
            settings.manifest, about.tasks, count=scale.starts, seed=settings.seed
        )
        rungs = {name: probe.rung for name, probe in installed.probes.items()}
        plan = plan_episodes(needs, starts, rungs, ceiling=settings.budget.episodes)
        with Recording.open(settings, about) as recording:
            audience.tell(RunPlanned(planned=plan.episodes, kept=len(recording.store.kept)))
            course = Course(
                plan=plan,
                probes=installed.probes,
                lane=_lane(about.action_schema, about.tools, settings),
                rules=_rules(settings),
                seed=settings.seed,
                most_sessions=settings.most_sessions,
                seconds=settings.budget.seconds,
            )
            rollouts = await run_plan(course, server, recording.store, audience)
    evidence = Evidence(
        about=about,
        manifest=settings.manifest,
        table=EpisodeTable.of(recording.store.path),
        rollouts=rollouts,
        rungs=rungs,
        group_size=settings.group_size,
        seed=settings.seed,
    )
    results = decide_all(installed.checks, evidence, settings.policy)
    verdict = reach_verdict(results, settings.policy)
    return assemble(evidence, settings, installed.sources, installed.probes, results, verdict, began)
