"""All that a manifest's files declare, read before anything is run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from validator.manifest import Manifest
from validator.reference_answers import ReferenceAnswer, read_answers
from validator.rollouts.needs import Scale
from validator.rollouts.start import Start, Trajectory
from validator.trajectories import Oracle, declared_hacks, declared_oracle, spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the author knows and the agent should not."""

    oracle: Oracle = Oracle()
    hacks: tuple[Trajectory, ...] = ()
    answers: tuple[ReferenceAnswer, ...] = ()

    def enrich(self, scale: Scale, starts: Sequence[Start]) -> Scale:
        """Return a scale that offers what is declared, as much of it as the scale has starts."""
        most = scale.starts
        return replace(
            scale,
            solutions=self.oracle.solutions(starts, most),
            hacks=spread(self.hacks, most),
            looks=tuple(answer.walk("", ()) for answer in spread(self.answers, most)),
        )


def read_declared(manifest: Manifest) -> Declared:
    """Read the files that a manifest names.

    Raises:
        SettingsError: one of them cannot be used.
    """
    answers = manifest.envassay.answers
    return Declared(
        oracle=declared_oracle(manifest),
        hacks=declared_hacks(manifest),
        answers=() if answers is None else read_answers(manifest.folder / answers),
    )
