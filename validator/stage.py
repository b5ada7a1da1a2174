"""Where the rounds of one run are played, each to its evidence."""

from collections.abc import Iterable
from dataclasses import asdict

from probes.base import Lane
from validator.episodes import EpisodeKey
from validator.events import Audience, RunPlanned
from validator.evidence import Evidence
from validator.installed import Installed
from validator.rollouts.casting import Casting
from validator.rollouts.engine import Course, Rollouts, run_plan
from validator.rollouts.needs import Need
from validator.rollouts.plan import plan_episodes
from validator.rollouts.play import Rules
from validator.rollouts.store import EpisodeStore
from validator.settings import Settings
from validator.starts import choose_starts
from validator.table import EpisodeTable
from validator.targets.base import About, Server


class Stage:
    """One reached server, one episode file, and what was played so far."""

    def __init__(
        self,
        server: Server,
        settings: Settings,
        installed: Installed,
        store: EpisodeStore,
        audience: Audience,
    ) -> None:
        self._server = server
        self._settings = settings
        self._installed = installed
        self._store = store
        self._audience = audience
        self._rungs = {name: probe.rung for name, probe in installed.probes.items()}
        self._rollouts = Rollouts(planned=0)
        self._planned: set[EpisodeKey] = set()

    async def play(self, needs: Iterable[Need]) -> Evidence:
        """Play what is needed and was not planned before, and return all there is to know now.

        A server that has broken, or a time that is up, is not tried again.
        """
        if not self._rollouts.stopped:
            await self._round(needs)
        settings = self._settings
        return Evidence(
            about=self._server.about,
            manifest=settings.manifest,
            table=EpisodeTable.of(self._store.path),
            rollouts=self._rollouts,
            rungs=self._rungs,
            group_size=settings.group_size,
            seed=settings.seed,
        )

    async def _round(self, needs: Iterable[Need]) -> None:
        settings, about = self._settings, self._server.about
        scale = settings.budget.scale(settings.group_size)
        plan = plan_episodes(
            needs,
            choose_starts(settings.manifest, about.tasks, scale.starts, settings.seed),
            self._rungs,
            ceiling=settings.budget.episodes - len(self._planned),
            played=self._planned,
        )
        keys = [key for lane in plan.lanes for key in lane.keys]
        kept = sum(key in self._store.kept for key in keys)
        self._audience.tell(RunPlanned(planned=len(keys), kept=kept))
        course = Course(
            plan=plan,
            casting=Casting(
                self._installed.probes, plan.walks, lane=_lane(about, settings), seed=settings.seed
            ),
            rules=_rules(settings),
            most_sessions=settings.most_sessions,
            seconds=settings.budget.seconds - self._rollouts.seconds,
            proven=self._rollouts.most_open,
        )
        found = await run_plan(course, self._server, self._store, self._audience)
        self._rollouts = self._rollouts.and_then(found)
        self._planned.update(keys)


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
