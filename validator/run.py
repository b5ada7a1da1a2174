"""The whole road for one target, in one function."""

import time
from collections.abc import Iterable
from dataclasses import asdict

from probes.base import Lane
from reports.model import Report
from validator.assemble import assemble
from validator.decide import decide_all
from validator.events import Audience, Listener, Reached, RunPlanned
from validator.evidence import Evidence
from validator.installed import Installed
from validator.policy.verdict import reach_verdict
from validator.recording import Recording
from validator.rollouts.engine import Course, run_plan
from validator.rollouts.plan import plan_episodes
from validator.rollouts.play import Rules
from validator.settings import Settings
from validator.starts import choose_starts
from validator.table import EpisodeTable
from validator.targets.base import About, Target


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
    rungs = {name: probe.rung for name, probe in installed.probes.items()}
    async with target.open(settings.limits) as server:
        about = server.about
        audience.tell(Reached(name=about.name, url=about.url))
        needs = [need for check in installed.checks for need in check.needs(scale)]
        starts = choose_starts(settings.manifest, about.tasks, scale.starts, settings.seed)
        plan = plan_episodes(needs, starts, rungs, ceiling=settings.budget.episodes)
        course = Course(
            plan=plan,
            probes=installed.probes,
            lane=_lane(about, settings),
            rules=_rules(settings),
            seed=settings.seed,
            most_sessions=settings.most_sessions,
            seconds=settings.budget.seconds,
        )
        with Recording.open(settings, about) as recording:
            audience.tell(RunPlanned(planned=plan.episodes, kept=len(recording.store.kept)))
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
    return assemble(evidence, settings, installed, results, verdict, began)


def _lane(about: About, settings: Settings) -> Lane:
    return Lane(
        action_schema=about.action_schema,
        tools=None if about.tools is None else tuple(asdict(tool) for tool in about.tools),
        noop=settings.manifest.envassay.noop,
    )


def _rules(settings: Settings) -> Rules:
    block = settings.manifest.envassay
    return Rules(
        max_steps=settings.max_steps,
        score=block.score,
        terminal=block.reward_timing == "terminal",
    )
