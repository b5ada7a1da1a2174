"""Do episodes keep to the time that is declared for them?"""

from typing import ClassVar

from metrics.proportions import proportion
from reports.model import Finding
from validator.checks.base import CheckResult, Measured, failed, passed, skipped
from validator.checks.reproduce import by_hand
from validator.evidence import Evidence
from validator.rollouts.needs import Need, Scale
from validator.stopping import Fault, Stops
from validator.table import Row

DECLARE = "`validation: {resources: {episode_timeout_s: 300}}` in the manifest"


class ResourceBounds:
    """RFC 008 #20 as far as a URL goes: wall time. Only time spent waiting for the server counts.

    Processors, memory, processes and disk are seen from inside only.
    """

    id: ClassVar[str] = "runtime.resource_bounds"
    title: ClassVar[str] = "Do episodes keep to the time that is declared for them?"
    stops: ClassVar[Stops] = Fault(rate=0.05)

    def needs(self, scale: Scale) -> tuple[Need, ...]:
        return (Need(rung="blind", starts=scale.starts),)

    def decide(self, evidence: Evidence) -> CheckResult:
        bound = evidence.manifest.episode_timeout
        rows = [row for row in evidence.table.rows if row.started]
        if bound is None:
            return skipped(self, "no time is declared for an episode", needed=DECLARE)
        if not rows:
            return skipped(self, "no episode was started", needed="an environment that resets")
        late = [row for row in rows if _seconds(row) > bound]
        measured: Measured = {"late_share": (proportion(len(late), len(rows)), "episodes")}
        if not late:
            return passed(
                self, f"{len(rows)} episodes took no more than {bound:g} s", measured=measured
            )
        return failed(
            self,
            f"{len(late)} of {len(rows)} episodes took more than the declared {bound:g} s",
            findings=[
                Finding(
                    claim="an episode goes on for longer than declared",
                    saw=f"more than {bound:g} s of waiting for the server, and no end to it",
                    expected=f"the end, or an error, within {bound:g} s",
                    where=f"episode {row.key.path}",
                    reproduce=by_hand(evidence, row),
                    do="End an episode when its time is up; or declare a longer "
                    "`resources.episode_timeout_s`.",
                )
                for row in late[:3]
            ],
            measured=measured,
        )


def _seconds(row: Row) -> float:
    return (row.reset_seconds or 0.0) + sum(row.step_seconds)
