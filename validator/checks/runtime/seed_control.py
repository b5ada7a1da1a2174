"""Does the seed of reset govern the episode?"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from metrics.results import Undefined
from metrics.seeding import SeedControl as Verdict
from metrics.seeding import seed_control
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.drills.base import Drill
from validator.drills.unhurried import Unhurried, agreed, broken_off
from validator.evidence import SCRIPTS, Evidence, Visit
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops
from validator.table import Row


class SeedControl:
    """RFC 008 #36, seen from outside: the same script on the same seed and on other seeds.

    A seed that changes nothing is no fault of seeding (`episode.start_variety` asks about
    that). A seed is ignored where repeats under it agree no more than episodes of other seeds.
    What repeats as soon as it is played alone and slowly is no matter of chance, so that no
    seed could govern it: `runtime.episode_determinism` tells of it. Where that was not found out
    to its end, no seed is blamed.
    """

    id: ClassVar[str] = "runtime.seed_control"
    title: ClassVar[str] = "Does the seed of reset govern the episode?"
    drills: ClassVar[tuple[type[Drill], ...]] = (Unhurried,)
    stops: ClassVar[Stops] = Fault(rate=0.4, of=("within_seed_agreement",))

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (
            Need(
                rung="blind",
                starts=scale.replayed_starts,
                repeats=SCRIPTS,
                scripted=True,
                replays=scale.replays,
            ),
        )

    def doubts(self, evidence: Evidence) -> bool:
        """Say whether seeds look ignored that few repeats may not tell from governing a part."""
        if evidence.manifest.envassay.stochastic not in (None, False):
            return False
        found = seed_control(evidence.labels)
        return not isinstance(found, Undefined) and found.verdict == "ignored"

    def decide(self, evidence: Evidence) -> CheckResult:
        rows = {start: rows for start, rows in evidence.visits.items() if len(rows) > 1}
        if len(rows) < 2:
            return skipped(
                self,
                f"only {len(rows)} seeds were repeated",
                needed="a larger --budget, or an environment whose episodes do not fail",
            )
        found = seed_control(evidence.labels)
        if isinstance(found, Undefined):
            return skipped(self, found.reason, needed="a larger --budget")
        measured: Measured = {
            "within_seed_agreement": (found.within, "pairs of one seed"),
            "between_seed_agreement": (found.between, "pairs of two seeds"),
        }
        match found.verdict:
            case "honoured":
                return passed(
                    self, f"{len(rows)} of {len(rows)} seeds repeat, and differ", measured=measured
                )
            case "inert":
                return passed(
                    self,
                    f"every seed gives the same episode ({len(rows)} tried)",
                    measured=measured,
                )
        if evidence.manifest.envassay.stochastic not in (None, False):
            return passed(
                self, "repeats of a seed differ, as declared (`stochastic`)", measured=measured
            )
        if agreed(evidence.drills):
            return skipped(
                self,
                "repeats of a seed differ with the time between actions, which no seed governs: "
                "played alone and slowly, they agree",
                needed="an environment that does not depend on how fast actions come",
            )
        if fault := broken_off(evidence.drills):
            return skipped(
                self,
                "repeats of a seed differ; whether with the time between actions, which no seed "
                f"governs, was not found out: the exercise that plays them slowly broke off "
                f"({fault})",
                needed="a less busy server, or `stochastic: true` in the manifest",
                measured=measured,
            )
        return self._failed(evidence, rows, found, measured)

    def _failed(
        self,
        evidence: Evidence,
        rows: Mapping[str, Sequence[Visit]],
        found: Verdict,
        measured: Measured,
    ) -> CheckResult:
        broken = [start for start in rows if len(set(evidence.labels[start])) > 1]
        one, other = _differing(evidence, broken[0])
        difference = evidence.compare(one, other)
        assert difference is not None
        counted = f"{len(broken)} of {len(rows)} seeds did not repeat"
        if found.verdict == "ignored":
            reason = f"the seed is ignored: {counted}"
            claim = "the seed is accepted, then ignored"
        elif len(broken) == len(rows):
            reason = f"the seed does not govern the whole episode: {counted}"
            claim = "something in the episode is not drawn from the seed"
        else:
            whole = len(rows) - len(broken)
            reason = f"seeds {_names(broken)} did not repeat, the other {whole} did"
            claim = f"the seed governs some episodes, and not those of {_names(broken)}"
        finding = Finding(
            claim=claim,
            saw=f"{difference.a} and {difference.b} under seed {one.key.seed}",
            expected="the same answer to the same actions under one seed",
            where=f"episodes {one.key.path} and {other.key.path}, step {difference.step}, "
            f"{difference.path}",
            reproduce=f"twice: {by_hand(evidence, one, steps=difference.step)}",
            do="Draw everything from a generator made from the seed of reset (0 is a seed too); "
            "or declare `stochastic: true`.",
        )
        return failed(self, reason, findings=[finding], measured=measured)


def _differing(evidence: Evidence, start: str) -> tuple[Row, Row]:
    visits, labels = evidence.visits[start], evidence.labels[start]
    other = next(i for i, label in enumerate(labels) if label != labels[0])
    return next(
        pair
        for pair in zip(visits[0], visits[other], strict=True)
        if evidence.compare(*pair) is not None
    )


def _names(starts: Sequence[str]) -> str:
    return ", ".join(start.rpartition("/")[2] for start in starts[:5])
