"""The looks of a run: how much is played before it is asked which checks are still open."""

from dataclasses import dataclass, replace
from itertools import pairwise

from probes.base import Rung
from validator.rollouts.needs import Need, Scale

FLOOR: frozenset[Rung] = frozenset({"null", "blind"})
"""Rungs of which one probe visits every start already at the first look."""
DEEP = (0.2, 0.4, 1.0)
"""Share of the starts that are played in depth at the looks before the last."""
FEWEST_DEEP = 4
FEWEST_WIDE = 6
"""Starts that the other probes of the floor visit: on fewer, one hit by chance leaves it open."""
REPLAYED = 6
"""Starts whose scripts are replayed at the first look, then all that are asked for."""
TRIED = (4, 8)
"""Starts that every attacker is tried on at the first looks, then all that are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A fixed place in the plan at which a run may stop.

    What is played up to a look depends on the scale alone, not on what was seen: each look's
    episodes contain those of the one before, and the last has all that is asked for.
    """

    number: int
    of: int
    """Number of looks of the run. The allowed error of an interval is shared out among them."""
    deep: int = 0
    """Starts that are played in depth."""
    wide: int = 0
    """Starts that all probes of the floor visit."""
    repeats: int = 0
    """Draws of the first probe of a rung on each start that is played in depth."""
    replays: int = 0
    """Exact repetitions of each script."""
    replayed: int = 0
    """Starts whose scripts are replayed."""
    tried: int = 0
    """Starts that attackers are tried on."""

    @property
    def last(self) -> bool:
        return self.number == self.of

    def scale(self, scale: Scale) -> Scale:
        """Return what a check may ask for once it has seen what this look played."""
        if self.last:
            return scale
        return replace(scale, replayed_starts=min(scale.replayed_starts, self.deep))

    def part(self, need: Need) -> Need:
        """Return what is played of a need up to this look."""
        if self.last or need.whole or need.campaign is not None or need.condition == "reused":
            return need
        if need.walks:
            return self._of_walks(need)
        if need.condition != "fresh":
            return replace(need, starts=min(need.starts, self.deep))
        if need.scripted or need.replays:
            starts = min(need.starts, self.replayed)
            return replace(need, starts=starts, replays=min(need.replays, self.replays))
        if need.rung in FLOOR:
            return self._of_floor(need)
        most = self.tried if need.rung == "panel" else self.deep
        return replace(need, starts=min(need.starts, most), repeats=1)

    def _of_floor(self, need: Need) -> Need:
        """Return thin visits of every start, and depth on some."""
        deep, wide = (need.deep, need.wide) if need.deep is not None else (need.starts,) * 2
        return replace(
            need,
            deep=min(deep, self.deep),
            wide=min(wide, self.wide),
            repeats=min(need.repeats, self.repeats),
        )

    def _of_walks(self, need: Need) -> Need:
        """Return all walks, and replays of some."""
        if not need.replays or need.condition != "fresh":
            return need
        walks = need.walks[: self.deep]
        return replace(need, walks=walks, replays=min(need.replays, self.replays))


ONLY = Look(number=1, of=1)
"""The look of a run that plays everything at once."""


def looks_of(scale: Scale, group_size: int, *, fixed: bool) -> tuple[Look, ...]:
    """Return the looks of a run, the last of which plays everything; only that where `fixed`.

    The first visits every start thinly, and plays whole groups and a replay of everything on
    some; then come more starts, more replays and at last more draws. Looks at which a scale
    has nothing to add are left out.
    """
    starts, replayed = scale.starts, scale.replayed_starts
    whole = (starts, starts, scale.repeats, scale.replays, replayed, starts)
    steps = [
        (
            min(starts, max(FEWEST_DEEP, round(share * starts))),
            min(starts, max(FEWEST_WIDE, round(share * starts))),
            min(scale.repeats, group_size),
            min(scale.replays, place + 1),
            min(replayed, REPLAYED) if place == 0 else replayed,
            min(starts, TRIED[place]) if place < len(TRIED) else starts,
        )
        for place, share in enumerate(DEEP)
    ]
    kept = [step for step, after in pairwise([*steps, whole]) if step != after]
    sizes = [whole] if fixed else [*kept, whole]
    return tuple(
        Look(
            number=number,
            of=len(sizes),
            deep=deep,
            wide=wide,
            repeats=repeats,
            replays=replays,
            replayed=again,
            tried=tried,
        )
        for number, (deep, wide, repeats, replays, again, tried) in enumerate(sizes, start=1)
    )
