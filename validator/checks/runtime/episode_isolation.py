"""Is an episode the same whatever its session played before?"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from metrics.agreement import replay_agreement
from metrics.results import Undefined
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.drills.abandonment import Abandonment
from validator.drills.base import Drill
from validator.evidence import Evidence, Pair
from validator.rollouts.needs import Need, Scale
from validator.totals import Later, only_totals

SOLUTIONS = 4
"""Declared solutions that are played one after the other: they leave more than chance does."""


class EpisodeIsolation:
    """RFC 008 #21 as far as a URL goes: an episode alone, and after others on one session.

    Only starts that repeat on fresh sessions are compared: where they do not, a difference
    proves nothing about what was carried over. Where half of the starts do not, the others may have
    repeated by luck, and none is compared. Declared solutions are compared where all repeat.
    Where nothing differs but a total that counts the session on, that is a question. The others
    end before it; some are left half-way as well, as trainers do when their time is up.
    """

    id: ClassVar[str] = "runtime.episode_isolation"
    title: ClassVar[str] = "Is an episode the same whatever its session played before?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Abandonment,)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(
                rung="blind",
                starts=scale.replayed_starts,
                scripted=True,
                replays=1,
                condition="reused",
            ),
            Need(walks=scale.solutions[:SOLUTIONS], replays=1, condition="reused"),
        )

    def decide(self, evidence: Evidence) -> CheckResult:
        reused = [pair for pair in evidence.pairs if pair.condition == "reused"]
        pairs = _comparable(evidence, reused)
        found = replay_agreement([pair.difference is None for pair in pairs])
        if isinstance(found, Undefined):
            why = "few episodes repeat even on fresh sessions" if reused else found.reason
            return skipped(
                self, why, needed="an environment that repeats under a seed, or a larger --budget"
            )
        begun = _begun(evidence)
        measured: Measured = {
            "reused_agreement": (found, "replays"),
            "begun_half_way": (float(len(begun)), "episodes"),
        }
        differing = [pair for pair in pairs if pair.difference is not None]
        if not differing:
            return self._after_half_ones(evidence, len(pairs), begun, measured)
        if evidence.manifest.envassay.carry_over == "curriculum":
            return passed(
                self,
                f"{len(differing)} of {len(pairs)} episodes differ after others, as declared "
                "(`carry_over`)",
                measured=measured,
            )
        total = only_totals(_later(evidence, pair) for pair in pairs)
        return failed(
            self,
            f"{len(differing)} of {len(pairs)} episodes differ after others"
            + (", in nothing but what counts the session on" if total else ""),
            findings=[_finding(pair) for pair in differing[:3]],
            measured=measured,
            question=total,
        )

    def _after_half_ones(
        self, evidence: Evidence, same: int, begun: Sequence[Mapping[str, Any]], measured: Measured
    ) -> CheckResult:
        """Decide where all episodes are the same after others that came to their end."""
        told = f"{same} of {same} episodes are the same after others"
        differing = [one for one in begun if one["difference"] is not None]
        if differing and evidence.manifest.envassay.carry_over != "curriculum":
            record = evidence.drills[Abandonment.name]
            return failed(
                self,
                f"{len(differing)} of {len(begun)} episodes differ after one that was left",
                findings=[_left_finding(one) for one in differing[:3]],
                measured=measured,
                question=bool(record.facts["totals"]),
            )
        if begun and not differing:
            told += f", and {len(begun)} after one that was left half-way"
        return passed(self, told, measured=measured)


def _begun(evidence: Evidence) -> Sequence[Mapping[str, Any]]:
    """Return the episodes that were begun in the middle of others, where all repeat."""
    record = evidence.drills.get(Abandonment.name)
    if record is None or evidence.unrepeatable:
        return ()
    found: Sequence[Mapping[str, Any]] = record.facts.get("episodes", ())  # type: ignore[assignment]
    return found


def _left_finding(one: Mapping[str, Any]) -> Finding:
    difference = one["difference"]
    return Finding(
        claim=f"an episode that was left half-way shows in {difference['channel']}",
        saw=f"{difference['b']}",
        expected=f"{difference['a']}, as on a fresh session",
        where=f"episode {one['episode']}, step {difference['step']}, {difference['path']}",
        reproduce=f"on a new session play {one['left_after']} steps of episode {one['left']}, "
        f"then reset and play episode {one['episode']}",
        do="Build everything anew in reset, also where the last episode has not ended; or declare "
        "`carry_over: curriculum`.",
    )


def _later(evidence: Evidence, pair: Pair) -> Later:
    replay = pair.replay
    alone, after = evidence.trace(pair.original), evidence.trace(replay)
    return Later(session=replay.session, position=replay.position, alone=alone, after=after)


def _comparable(evidence: Evidence, reused: list[Pair]) -> list[Pair]:
    """Return the replays of episodes that repeat on fresh sessions."""
    noisy = {
        pair.original.key
        for pair in evidence.pairs
        if pair.condition == "fresh" and pair.difference is not None
    }
    if not noisy:
        return reused
    probed = [pair for pair in reused if not pair.original.key.walk]
    if 2 * len(noisy) >= len({pair.original.key for pair in probed}):
        return []
    return [pair for pair in probed if pair.original.key not in noisy]


def _finding(pair: Pair) -> Finding:
    difference = pair.difference
    assert difference is not None
    return Finding(
        claim=f"an earlier episode of the session shows in {difference.channel}",
        saw=f"{difference.b}",
        expected=f"{difference.a}, as on a fresh session",
        where=f"episode {pair.replay.key.path}, step {difference.step}, {difference.path}",
        reproduce=f"play episode {pair.original.key.path} on a new session, then again on a "
        "session that has played another one",
        do="Build everything anew in reset; or declare `carry_over: curriculum`.",
    )
