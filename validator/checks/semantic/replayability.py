"""Does a recorded trajectory come to the same outcome when it is walked later?"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from metrics.agreement import replay_agreement
from metrics.divergence import Divergence, diverges
from metrics.results import Undefined
from metrics.volatile import VOLATILE
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped, undecided
from validator.checks.reproduce import by_hand
from validator.client.frames import Json
from validator.episodes import EpisodeKey
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.rollouts.start import Trajectory
from validator.solutions import begin_of
from validator.stopping import Fault, Stops
from validator.table import Row

OUTCOME = ("reward", "done", "error")


class Replayability:
    """RFC 008 #44: actions are recorded from a probe, and walked as a list in a later round.

    Compared are rewards, ends and errors, step by step. Where an episode does not even repeat at
    once, its replay proves nothing: that is `runtime.episode_determinism`. A server that pays by
    other rules from some moment on repeats at once, before that moment and after it.
    """

    id: ClassVar[str] = "semantic.replayability"
    title: ClassVar[str] = "Does a recorded trajectory come to the same outcome later?"
    stops: ClassVar[Stops] = Fault(rate=0.55, of=("outcome_agreement",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="blind", starts=scale.starts, repeats=scale.repeats),)

    def more(self, evidence: Evidence, scale: Scale) -> tuple[Need, ...]:
        walks = tuple(
            Trajectory(id=_name(row), start=begin_of(evidence, row), actions=evidence.actions(row))
            for row in _best(evidence)[: scale.replayed_starts]
        )
        return (Need(walks=walks, priority=2),) if walks else ()

    def decide(self, evidence: Evidence) -> CheckResult:
        recorded = {_name(row): row for row in evidence.scored(list(evidence.rungs))}
        pairs = [
            (recorded[row.key.walk], row)
            for row in evidence.table.rows
            if row.key.walk in recorded and row.key.replay == 0 and row.ended != "failed"
        ]
        differences = [(one, two, _differ(evidence, one, two)) for one, two in pairs]
        agreement = replay_agreement([found is None for _, _, found in differences])
        if isinstance(agreement, Undefined):
            lost = skipped if not recorded else undecided
            return lost(
                self, "no recorded trajectory was walked", needed="episodes that are scored"
            )
        measured: Measured = {"outcome_agreement": (agreement, "recorded trajectories")}
        differing = [(one, two, found) for one, two, found in differences if found is not None]
        if not differing:
            return passed(
                self,
                f"{len(pairs)} of {len(pairs)} recorded trajectories came to the same outcome",
                measured=measured,
            )
        told = f"{len(differing)} of {len(pairs)} recorded trajectories came to another outcome"
        stochastic = evidence.manifest.envassay.stochastic
        if evidence.manifest.judged or stochastic not in (None, False):
            return passed(self, f"{told}, as declared", measured=measured)
        later = all(one.position > 0 for one, _, _ in differing)
        if later and evidence.manifest.envassay.carry_over == "curriculum":
            return passed(
                self,
                f"{told}, all of them recorded after other episodes, as declared (`carry_over`)",
                measured=measured,
            )
        if evidence.unrepeatable and not _changed_once(evidence):
            return skipped(
                self,
                f"{told}, and episodes do not repeat at once either",
                needed="an environment that repeats under a seed (`runtime.episode_determinism`)",
                measured=measured,
            )
        return failed(
            self,
            told,
            findings=[_finding(evidence, one, two, found) for one, two, found in differing[:3]],
            measured=measured,
            question=stochastic is None,
        )


def _best(evidence: Evidence) -> list[Row]:
    """Return the highest scored episode of each start, highest first."""
    best: dict[tuple[str, int | None], Row] = {}
    for row in evidence.scored(evidence.probes("blind")):
        place = (row.key.task, row.key.seed)
        if row.steps and (place not in best or (row.score or 0.0) > (best[place].score or 0.0)):
            best[place] = row
    return sorted(best.values(), key=lambda row: -(row.score or 0.0))


def _name(row: Row) -> str:
    key = row.key
    return f"recorded/{key.task}/{key.seed}/{key.probe}/{key.repeat}"


def _differ(evidence: Evidence, one: Row, two: Row) -> Divergence | None:
    return diverges(
        *(_outcome(evidence.trace(row)) for row in (one, two)), ignore=VOLATILE | {"jitter"}
    )


def _outcome(trace: list[dict[str, Json]]) -> list[dict[str, Json]]:
    return [{name: step[name] for name in OUTCOME if name in step} for step in trace]


def _changed_once(evidence: Evidence) -> bool:
    """Say whether one moment parts all repetitions that differ, and none differ on one side of it.

    Chance and clocks part them anywhere. Episodes that ran together with that moment may have been
    paid by both rules: they are taken for neither side.
    """
    told = [
        [row for row in sorted(rows, key=_ended) if row.ended != "failed"]
        for rows in _repetitions(evidence).values()
    ]
    moments = sorted(
        {_ended(two) for rows in told for one, two in pairwise(rows) if _differ(evidence, one, two)}
    )
    together = max(1, evidence.rollouts.most_open)
    return any(
        all(
            _alike(evidence, [row for row in rows if _ended(row) < moment - together])
            and _alike(evidence, [row for row in rows if _ended(row) > moment + together])
            for rows in told
        )
        for moment in moments
    )


def _repetitions(evidence: Evidence) -> Mapping[EpisodeKey, list[Row]]:
    """Return each episode that was repeated on fresh sessions, with its repetitions."""
    found: dict[EpisodeKey, list[Row]] = {}
    for pair in evidence.pairs:
        if pair.condition == "fresh":
            found.setdefault(pair.original.key, [pair.original]).append(pair.replay)
    return found


def _alike(evidence: Evidence, rows: Sequence[Row]) -> bool:
    return all(_differ(evidence, rows[0], row) is None for row in rows[1:])


def _ended(row: Row) -> int:
    return row.offset


def _finding(evidence: Evidence, one: Row, two: Row, difference: Divergence) -> Finding:
    return Finding(
        claim=f"the same actions from the same start come to another {difference.channel}",
        saw=difference.b,
        expected=f"{difference.a}, as when they were recorded",
        where=f"episode {two.key.path}, step {difference.step}; recorded in {one.key.path}",
        reproduce=by_hand(evidence, two) + "; then the same again later",
        do="Let nothing but the reset arguments and the actions decide an episode.",
    )
