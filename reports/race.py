"""How the best few of many environments were found, round by round."""

from dataclasses import dataclass

from reports.standing import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One look at all that were not settled before."""

    budget: str
    targets: int
    """Validated in it."""
    episodes: int
    settled: int
    """Targets that are played no further after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """A race for the first few places of a ranking."""

    top: int
    of: int
    """Targets that could be validated."""
    level: float
    tolerance: float
    """Difference of the value ranked by that does not matter."""
    rounds: tuple[Round, ...]
    chosen: tuple[Standing, ...]
    undecided: tuple[Standing, ...]
    """Whose place among the chosen, or outside, was not sure at the end; chosen ones are among
    them."""


def lines_of(race: Race) -> list[str]:
    """Return what a reader of the ranking is told of the race, a line a fact."""
    aside = f", differences up to {race.tolerance:g} aside" if race.tolerance else ""
    far = ", as far as that is settled" if race.undecided else ""
    told = [f"The best {race.top} of {race.of}{far} ({race.level:.0%} over all rounds{aside}):"]
    told += [f"  {_named(row)}" for row in race.chosen]
    told += [
        f"round {number}, {one.budget}: {one.targets:,} targets, {one.episodes:,} episodes, "
        f"{one.settled:,} settled"
        for number, one in enumerate(race.rounds, start=1)
    ]
    if race.undecided:
        names = "; ".join(_named(row) for row in race.undecided)
        told.append(f"not settled, since their intervals leave it open: {names}")
    if saved := _saved(race):
        told.append(saved)
    return told


def _named(row: Standing) -> str:
    return f"{row.name or 'unnamed'} {row.url}"


def _saved(race: Race) -> str:
    """Return what the others would have cost in the last round, by what its own targets did."""
    last = race.rounds[-1] if race.rounds else None
    if last is None or len(race.rounds) < 2 or not last.targets:
        return ""
    spared, each = race.of - last.targets, last.episodes / last.targets
    return (
        f"saved: {spared:,} targets were not played at {last.budget}, where one took "
        f"{each:,.0f} episodes: about {spared * each:,.0f}"
    )
