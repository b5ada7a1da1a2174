"""All that a manifest's files declare, read before anything is run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from validator.manifest import Manifest
from validator.oracle_pieces import oracle_files, pieces_of_code, pieces_of_walks
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
    files: tuple[str, ...] = ()
    """Paths under which the manifest names them."""
    pieces: tuple[str, ...] = ()
    """By which a copy of the solutions is known, see `oracle_pieces`."""

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
    answers, oracle = manifest.envassay.answers, declared_oracle(manifest)
    return Declared(
        oracle=oracle,
        files=oracle_files(manifest),
        pieces=pieces_of_code(manifest) + pieces_of_walks(oracle.trajectories),
        hacks=declared_hacks(manifest),
        answers=() if answers is None else read_answers(manifest.folder / answers),
    )
