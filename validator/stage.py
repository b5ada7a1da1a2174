"""Plays the rounds of one run on its server, and gives the evidence that has come of them."""

import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import partial

from probes.base import Agent, Lane, SlowAgent, Unplayable
from probes.campaign import Campaigner
from reports.spending import Stopped
from validator.costs import kept, language_models
from validator.declared import Declared
from validator.drills.base import Drill, DrillRecord, Ground, carry_out, in_order
from validator.drills.store import append, read, rewrite
from validator.episodes import EpisodeKey
from validator.events import Audience, RunPlanned
from validator.evidence import Evidence
from validator.installed import Installed
from validator.rollouts.campaigns import Campaigns
from validator.rollouts.casting import Casting
from validator.rollouts.course import Course, Rollouts
from validator.rollouts.engine import run_plan
from validator.rollouts.looks import Look, looks_of
from validator.rollouts.needs import Need
from validator.rollouts.plan import Plan, asked_for, plan_episodes
from validator.rollouts.play import Rules
from validator.rollouts.player import Player
from validator.rollouts.reuse import Reusing
from validator.rollouts.start import Start
from validator.rollouts.store import EpisodeStore
from validator.seeds import stream
from validator.settings import Settings
from validator.starts import choose_starts, listed_tasks, unlisted_tasks
from validator.table import EpisodeTable
from validator.targets.base import About, Server

DRILLS = "drills.jsonl"
MOST_SLOW = 100_000
"""Episodes of slow probes, which say themselves how many they play."""
MOST_SHOWN = 8
"""Declared trajectories that an exercise is given."""


class Stage:
    """One reached server, one episode file, and what was played so far."""

    def __init__(
        self,
        server: Server,
        settings: Settings,
        installed: Installed,
        store: EpisodeStore,
        audience: Audience,
        declared: Declared,
        player: Player = run_plan,
    ) -> None:
        self._declared = declared
        self._reusing = (
            None
            if settings.reuse is None
            else Reusing.of(
                player,
                settings.reuse,
                store,
                fingerprint=server.about.fingerprint,
                probes=installed.probes,
            )
        )
        self._player = self._reusing or player
        self._server = server
        self._settings = settings
        self._installed = installed
        self._store = store
        self._audience = audience
        self._rungs = {name: probe.rung for name, probe in installed.probes.items()}
        self._campaigners = {
            name for name, probe in installed.probes.items() if isinstance(probe, Campaigner)
        }
        self._rollouts = Rollouts(planned=0)
        self._planned: set[EpisodeKey] = set()
        self._table: EpisodeTable | None = None
        self._drills: dict[str, DrillRecord] = {}
        self._cut = False
        scale = settings.budget.scale(settings.group_size)
        self._starts = choose_starts(
            settings.manifest, server.about.tasks, scale.starts, settings.seed
        )
        self._new = choose_starts(
            settings.manifest, server.about.tasks, scale.learner.new, settings.seed
        )
        """Where a learner begins that is given a new start each time."""
        self.looks = looks_of(
            replace(scale, starts=min(scale.starts, max(1, len(self._starts)))),
            settings.group_size,
            fixed=settings.fixed or bool(settings.policy.thresholds),
        )

    @property
    def planned(self) -> frozenset[EpisodeKey]:
        """Return the episodes that were to be played so far."""
        return frozenset(self._planned)

    @property
    def over(self) -> Stopped | None:
        """Return why nothing more can be played, None where more can.

        `stopped`: the server broke, or the time was up. `budget`: its episodes were used up.
        """
        if self._rollouts.stopped:
            return "stopped"
        return "budget" if self._cut else None

    def asked_for(self, needs: Iterable[Need]) -> frozenset[EpisodeKey]:
        """Return the keys of the episodes that some needs ask for, played or not."""
        return asked_for(
            needs,
            self.starts(),
            self._rungs,
            campaigners=self._campaigners,
            slow=self._installed.slow,
        )

    def starts(self) -> list[Start]:
        """Return where the episodes of this run begin."""
        return self._starts

    async def play(self, needs: Iterable[Need]) -> None:
        """Play what is needed and was not planned before.

        Nothing is played where the server has broken or the time is up. Where no length of an
        episode is declared, those of condition `long` come first: whether they end by themselves
        decides at how many steps the others are cut.
        """
        budget, wanted = self._settings.budget, list(needs)
        long = [need for need in wanted if need.condition == "long"]
        others = [need for need in wanted if need.condition != "long"]
        for part in [long, others] if self._settings.unending_steps else [others]:
            if part and not self._rollouts.stopped:
                await self._round(part, budget.episodes, budget.seconds, self._player)

    async def play_slow(self) -> None:
        """Play the episodes of slow probes, which have a budget of their own.

        That their time ran out does not end the run for other probes; a server that breaks does.
        """
        before, slow = self._rollouts, self._installed.slow
        if before.broke or not slow:
            return
        models, folder = language_models(self._installed), self._store.path.parent
        seconds = max(one.seconds for one in slow.values()) + before.seconds
        try:
            with kept(models, folder):
                await self._round(self._installed.slow_needs, MOST_SLOW, seconds, run_plan)
        finally:
            await self._installed.close()
        if not self._rollouts.broke:
            self._rollouts = replace(self._rollouts, stopped=before.stopped)

    async def drill(self, drills: Iterable[type[Drill]]) -> None:
        """Carry out exercises one after the other, without those that the run's folder holds.

        They have the time that episodes left of the budget, but at least half of all of it: a slow
        server is put to them, too. Nothing is done where the server broke or no episode was played.
        """
        path = self._store.path.with_name(DRILLS)
        self._drills = {record.name: record for record in read(path)}
        if path.exists():
            rewrite(path, self._drills.values())
        if self._rollouts.broke or not self._table_of_all().rows:
            return
        most = self._settings.budget.seconds
        deadline = time.perf_counter() + max(most - self._rollouts.seconds, most / 2)
        for drill in in_order(dict.fromkeys(drills)):
            left = deadline - time.perf_counter()
            if left <= 0:
                return
            made = drill()
            if made.name in self._drills or (made.intrusive and not self._settings.allow_intrusive):
                continue
            record = await carry_out(made, self._ground(made.name), seconds=left)
            append(path, record)
            self._drills[record.name] = record

    def evidence(self, look: Look) -> Evidence:
        """Return what was declared and what was played so far, as a check may read it."""
        settings = self._settings
        return Evidence(
            about=self._server.about,
            manifest=settings.manifest,
            table=self._table_of_all(),
            rollouts=self._rollouts,
            rungs=self._rungs,
            group_size=settings.group_size,
            seed=settings.seed,
            look=look,
            declared=self._declared,
            drills=self._drills,
            baseline=settings.baseline,
            reuse=self._reusing.told() if self._reusing else None,
        )

    def _table_of_all(self) -> EpisodeTable:
        """Return what was played of what was planned so far: a resumed run may hold more."""
        if self._table is None:
            found = EpisodeTable.of(self._store.path)
            rows = [row for row in found.everything if row.key in self._planned]
            whole = len(rows) == len(found.everything)
            self._table = found if whole else EpisodeTable(self._store.path, rows)
        return self._table

    def _ground(self, name: str) -> Ground:
        return Ground(
            server=self._server,
            starts=tuple(self.starts()),
            begin=partial(self._agent, name),
            sessions_served=self._rollouts.most_open,
            sessions_refused_at=self._rollouts.refused_at,
            max_steps=self._rules().max_steps,
            sessions_promised=self._settings.manifest.envassay.concurrency,
            solutions=self._declared.oracle.solutions(self.starts(), MOST_SHOWN),
            oracle_files=self._declared.files,
            listed=listed_tasks(self._settings.manifest, self._server.about.tasks),
            unlisted=unlisted_tasks(self._settings.manifest, self._server.about.tasks),
            table=self._table_of_all().now,
            earlier=self._settings.baseline.table if self._settings.baseline else None,
            twin=self._settings.twin,
            limits=self._settings.limits,
        )

    def _agent(self, drill: str, number: int) -> Agent:
        """Return an agent of the first blind probe, of the first probe at all where none is blind.

        Raises:
            Unplayable: it has no action to offer here, or its actions take time.
        """
        names = sorted(self._rungs, key=lambda name: self._rungs[name] != "blind")
        lane = _lane(self._server.about, self._settings)
        rng = stream(self._settings.seed, "drill", drill, number)
        agent = self._installed.probes[names[0]].begin(lane, rng)
        if isinstance(agent, SlowAgent):
            raise Unplayable("an exercise waits for no model's answer")
        return agent

    async def _round(
        self, needs: Iterable[Need], episodes: int, seconds: float, player: Player
    ) -> None:
        settings = self._settings
        plan = plan_episodes(
            needs,
            self.starts(),
            self._rungs,
            ceiling=episodes - sum(self._counts(key) for key in self._planned),
            played=self._planned,
            campaigners=self._campaigners,
            slow=self._installed.slow,
            new=self._new,
        )
        self._cut = self._cut or plan.cut
        keys = plan.keys
        if not keys and self._planned:
            return
        kept = sum(key in self._store.kept for key in keys)
        self._audience.tell(RunPlanned(planned=len(keys), kept=kept))
        course = Course(
            plan=plan,
            casting=self._casting(plan),
            rules=self._rules(),
            most_sessions=settings.most_sessions,
            seconds=seconds - self._rollouts.seconds,
            proven=self._rollouts.most_open,
        )
        found = await player(course, self._server, self._store, self._audience)
        self._table = None
        self._rollouts = self._rollouts.and_then(found)
        self._planned.update(keys)

    def _rules(self) -> Rules:
        """Return the rules of the next episodes; shorter ones where none of the long ones ended."""
        settings, block = self._settings, self._settings.manifest.envassay
        rows = self._table_of_all().rows if settings.unending_steps else ()
        long = [row for row in rows if row.key.condition == "long"]
        unending = bool(long) and all(row.ended == "step_cap" for row in long)
        most = settings.max_steps
        return Rules(
            max_steps=min(most, settings.unending_steps or most) if unending else most,
            longest=most,
            score=block.score,
            terminal=block.reward_timing == "terminal",
            reads_state=(block.success_field or "").startswith("state"),
        )

    def _counts(self, key: EpisodeKey) -> bool:
        """Say whether an episode counts towards the budget: others have one of their own."""
        return not key.campaign and key.probe not in self._installed.slow

    def _casting(self, plan: Plan) -> Casting:
        settings, probes = self._settings, self._installed.probes
        lane, span = _lane(self._server.about, settings), settings.manifest.score_range
        campaigns = Campaigns(
            probes,
            plan.efforts,
            lane=lane,
            seed=settings.seed,
            rules=self._rules(),
            top=None if span is None else span[1],
        )
        return Casting(probes, plan.walks, lane=lane, seed=settings.seed, campaigns=campaigns)


def _lane(about: About, settings: Settings) -> Lane:
    return Lane(
        action_schema=about.action_schema,
        tools=None if about.tools is None else tuple(asdict(tool) for tool in about.tools),
        noop=settings.manifest.envassay.noop,
    )
