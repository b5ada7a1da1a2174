"""Races targets for the first places of a ranking: who is settled is played no further."""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from validator.cli.flags import manifest_of
from validator.cli.many import Tried, validate_many

if TYPE_CHECKING:
    from reports.race import Race
    from validator.race import Contender
    from validator.target_list import Listed


def race(args: argparse.Namespace, targets: "Iterable[Listed]", tried: Tried) -> "Race":
    """Validate all targets quickly, then those that are not settled, up to the budget.

    The first round may stop early, as any run does. Later ones play all that their scale asks for:
    what a value is known by is the number of starts that were played in depth.
    """
    from reports.race import Race, Round
    from validator.race import LEVEL, TOLERANCE, rounds_of, settle
    from validator.rollouts.budget import read_budget

    listed = {one.url: one for one in targets}
    budgets = rounds_of(read_budget(args.budget))
    tolerance = TOLERANCE if args.tolerance is None else args.tolerance
    contenders: dict[str, Contender] = {}
    rounds: list[Round] = []
    left = list(listed)
    while True:
        budget = budgets[len(rounds)]
        fixed = args.fixed or bool(rounds)
        told = argparse.Namespace(**vars(args) | {"budget": budget.name, "fixed": fixed})
        before = dict(tried.folders)
        validate_many(told, [listed[url] for url in left], tried)
        played = [url for url in left if tried.folders.get(url) != before.get(url)]
        contenders |= {url: _contender(url, listed[url], tried) for url in played}
        found = settle(contenders, args.top, rounds=len(budgets), tolerance=tolerance)
        rounds.append(
            Round(
                budget=f"{budget.name} in full" if fixed else budget.name,
                targets=len(played),
                episodes=sum(tried.standings[url].episodes for url in played),
                settled=len(set(played) - found.undecided),
            )
        )
        left = [url for url in played if url in found.undecided]
        if not left or tried.stopped or len(rounds) == len(budgets):
            break
    return Race(
        top=args.top,
        of=len(contenders),
        level=LEVEL,
        tolerance=tolerance,
        rounds=tuple(rounds),
        chosen=tuple(tried.standings[url] for url in found.chosen),
        undecided=tuple(tried.standings[url] for url in contenders if url in found.undecided),
    )


def _contender(url: str, listed: "Listed", tried: Tried) -> "Contender":
    from validator.cli.places import REPORT
    from validator.cli.reading import read_report
    from validator.race import contender
    from validator.recording import EPISODES

    folder = tried.folders[url]
    report = read_report(folder / REPORT)
    return contender(report, folder / EPISODES, manifest_of(listed.manifest))
