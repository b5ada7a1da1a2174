"""How often a race for the best few is settled, how often wrongly, and what it saves.

    python benchmarks/racing.py --races 400

Draws environments whose signal is known: each has starts whose rates of success are drawn around
its own, and groups of 8 of a probe on them. A race plays them as `envassay rank --top K` does, by
the same functions: first the first look of a quick run, then the undecided at `standard` in full,
then those still undecided at twice as much, and so on to `deep`, each round with the episodes of
the one before among its own. A set is wrong where one of the chosen is worse than the best that was
left out by more than the tolerance.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metrics import Undefined, live_group_share
from metrics.inputs import Floats
from validator.race import TOLERANCE, Contender, Settling, rounds_of, settle
from validator.rollouts.budget import PRESETS
from validator.rollouts.looks import looks_of

GROUP = 8
SPREAD = 2.0
"""Concentration of the rates of an environment's starts around its own rate."""
RATES: dict[str, tuple[int, Callable[[np.random.Generator], Floats]]] = {
    "20, rates spread from never to half": (3, lambda rng: rng.uniform(0.0, 0.5, 20)),
    "20, three teach and the others hardly": (
        3,
        lambda rng: np.concatenate([np.full(3, 0.4), np.full(17, 0.003)]),
    ),
    "20, all equal": (3, lambda rng: np.full(20, 0.1)),
    "20, one wide step at the border": (
        5,
        lambda rng: np.concatenate([np.full(5, 0.3), np.full(15, 0.06)]),
    ),
    "20, one step just above the tolerance": (
        5,
        lambda rng: np.concatenate([np.full(5, 0.12), np.full(15, 0.075)]),
    ),
    "60, most of them hardly ever won": (5, lambda rng: rng.beta(0.15, 2.0, 60)),
}
"""How many are wanted, and the rate of success of each environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What one round plays of each environment."""

    starts: int
    draws: int
    looks: int

    @property
    def episodes(self) -> int:
        return self.starts * self.draws


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One race."""

    settled: bool
    wrong: bool
    played: tuple[int, ...]
    """Environments of each round."""
    share: float
    """Of the episodes of playing all of them in the last round."""


def rounds() -> list[Round]:
    """Return the rounds of a race up to `deep`."""
    first, *later = rounds_of(PRESETS["deep"])
    scale = first.scale(GROUP)
    look, *_ = looks_of(scale, GROUP, fixed=False)
    quick = Round(starts=look.deep, draws=look.repeats, looks=look.of)
    return [quick, *(Round(starts=one.starts, draws=one.repeats, looks=1) for one in later)]


def signal_of(rate: float) -> float:
    """Return the share of groups that teach, of an environment whose starts are drawn for ever."""
    a, b = SPREAD * rate, SPREAD * (1 - rate)
    up, down = np.arange(GROUP) + a, np.arange(GROUP) + b
    whole = np.arange(GROUP) + a + b
    return float(1 - np.prod(up / whole) - np.prod(down / whole))


def race(rng: np.random.Generator, rates: Floats, top: int, plan: list[Round]) -> Ran:
    """Return what became of one race."""
    most = plan[-1]
    chances = rng.beta(
        np.maximum(SPREAD * rates, 1e-9)[:, None],
        SPREAD * (1 - rates)[:, None],
        (rates.size, most.starts),
    )
    scores = rng.random((rates.size, most.starts, most.draws)) < chances[:, :, None]
    contenders: dict[str, Contender] = {}
    left = [str(at) for at in range(rates.size)]
    played: list[int] = []
    found = Settling(chosen=(), undecided=frozenset())
    for one in plan:
        played.append(len(left))
        contenders |= {name: _contender(scores[int(name)], one) for name in left}
        found = settle(contenders, top, rounds=len(plan), tolerance=TOLERANCE)
        left = sorted(found.undecided, key=int)
        if not left:
            break
    truth = np.array([signal_of(rate) for rate in rates])
    chosen = np.isin(np.arange(rates.size), [int(name) for name in found.chosen])
    spent = sum(many * one.episodes for many, one in zip(played, plan, strict=False))
    return Ran(
        settled=not left,
        wrong=bool(truth[~chosen].max() > truth[chosen].min() + TOLERANCE + 1e-12),
        played=tuple(played),
        share=spent / (rates.size * most.episodes),
    )


def _contender(scores: np.ndarray, one: Round) -> Contender:
    part = scores[: one.starts, : one.draws].astype(float)
    tasks = np.repeat(np.arange(one.starts), one.draws)
    found = live_group_share(part.ravel(), tasks, group_size=GROUP)
    assert not isinstance(found, Undefined)
    return Contender(place=(0, 1), value=found, looks=one.looks)


def main() -> None:
    """Print the table that the docs hold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--races", type=int, default=400)
    args = parser.parse_args()
    plan = rounds()
    sys.stdout.write(
        "| environments | best | settled | wrong sets, all | wrong sets, settled ones "
        "| played in each round | episodes, of all at deep |\n"
        "|---|---:|---:|---:|---:|---:|---:|\n"
    )
    for number, (name, (top, draw)) in enumerate(RATES.items()):
        rng = np.random.default_rng([number, args.races])
        ran = [race(rng, draw(rng), top, plan) for _ in range(args.races)]
        settled = [one for one in ran if one.settled]
        wrong = sum(one.wrong for one in settled)
        sizes = [
            np.mean([one.played[at] if at < len(one.played) else 0 for one in ran])
            for at in range(len(plan))
        ]
        sys.stdout.write(
            f"| {name} | {top} | {len(settled) / len(ran):.0%} "
            f"| {sum(one.wrong for one in ran) / len(ran):.1%} "
            f"| {f'{wrong / len(settled):.1%}' if settled else '–'} "
            f"| {', '.join(f'{size:.1f}' for size in sizes)} "
            f"| {np.mean([one.share for one in ran]):.0%} |\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
