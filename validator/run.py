"""The whole road for one target, in one function."""

import time
from collections.abc import Iterable

from reports.model import Report
from validator.assemble import assemble
from validator.checks.base import Check, Drilled
from validator.decide import decide_all
from validator.declared import read_declared
from validator.drills.base import Drill
from validator.events import Audience, Listener, Reached
from validator.inquiry import Inquiry
from validator.installed import Installed
from validator.policy.judge import judge
from validator.recording import Recording
from validator.rollouts.engine import run_plan
from validator.rollouts.player import Player
from validator.settings import Settings
from validator.stage import Stage
from validator.targets.base import Target

MOST_SEQUELS = 2
"""Rounds of episodes that checks may ask for after the first one of a look."""


async def validate(
    target: Target,
    settings: Settings,
    installed: Installed,
    listeners: Iterable[Listener] = (),
    player: Player = run_plan,
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
    declared = read_declared(settings.manifest)
    async with target.open(settings.limits) as server:
        audience.tell(Reached(name=server.about.name, url=server.about.url))
        with Recording.open(settings, server.about) as recording:
            store = recording.store
            stage = Stage(server, settings, installed, store, audience, declared, player)
            scale = declared.enrich(settings.budget.scale(settings.group_size), stage.starts())
            inquiry = Inquiry(installed.checks, settings.policy, scale, stage.asked_for)
            for look in stage.looks:
                await stage.play(inquiry.needs(look))
                for _ in range(MOST_SEQUELS):
                    if not (needs := inquiry.more(stage.evidence(look), look)):
                        break
                    await stage.play(needs)
                if not inquiry.close(stage.evidence(look), look, stage.planned) or stage.over:
                    break
            over = stage.over
            await stage.play_slow()
            await stage.drill(drill for check in installed.checks for drill in _drills(check))
            evidence = stage.evidence(look)
    results = decide_all(installed.checks, evidence, settings.policy)
    spending = inquiry.spending(evidence, results, over)
    account = assemble(evidence, settings, installed, results, spending, began)
    return judge(account, settings.policy)


def _drills(check: Check) -> tuple[type[Drill], ...]:
    return check.drills if isinstance(check, Drilled) else ()
