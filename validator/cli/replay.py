"""`envassay replay`: shows one finding of a report once more, on the server, and nothing else."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.flags import add_wire, headers_of, limits_of
from validator.errors import SettingsError

if TYPE_CHECKING:
    from reports.model import Finding, Report
    from validator.again import Again

SAME, OTHER = 0, 1


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("report", metavar="REPORT", type=Path, help="report.json in a run's folder")
    parser.add_argument(
        "finding",
        metavar="FINDING",
        help="id of the check, and /2 for its second finding: runtime.seed_control/2; or the name "
        "of an episode, such as what proves the best that a search found",
    )
    parser.add_argument("--url", metavar="URL", help="play there (default: the report's target)")
    add_wire(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the episodes again; 0 where they go as recorded, 1 where they do not."""
    import asyncio

    from validator.again import episodes_named, play_again
    from validator.cli.reading import read_report
    from validator.recording import episodes_of
    from validator.table import EpisodeTable
    from validator.targets.url import UrlTarget

    report = read_report(args.report)
    episodes = episodes_of(args.report.parent)
    if not episodes.exists():
        raise SettingsError(
            "the run's episodes are not beside it",
            where=str(args.report),
            do=f"Name the report.json in the run's folder (runs/{report.run}).",
        )
    table = EpisodeTable.of(episodes)
    finding = None
    rows = [row for row in table.everything if row.key.path == args.finding]
    if not rows:
        finding = _finding(report, args.finding)
        rows = episodes_named(finding.where, table)
    if not rows and finding is not None:
        raise SettingsError(
            "names no episode that can be played again",
            where=f"{args.finding}: {finding.where}",
            do=f"By hand: {finding.reproduce}",
        )
    target = UrlTarget(
        args.url or report.target.url, headers=headers_of(args.header), proxy=args.proxy
    )

    async def road() -> "list[Again]":
        async with target.open(limits_of(args.limit)) as server:
            return await play_again(server, table, rows)

    played = asyncio.run(road())
    _show(finding, played)
    return OTHER if any(one.fault or one.difference for one in played) else SAME


def _finding(report: "Report", name: str) -> "Finding":
    check, _, number = name.partition("/")
    found = next((result for result in report.results if result.id == check), None)
    names = [
        result.id if place == 1 else f"{result.id}/{place}"
        for result in report.results
        for place in range(1, len(result.findings) + 1)
    ]
    place = int(number) if number.isdecimal() else 1
    if found is None or not 1 <= place <= len(found.findings):
        raise SettingsError(
            f"the report has no finding {name!r}",
            where="FINDING",
            do=f"It has: {', '.join(names) or 'none'}.",
        )
    return found.findings[place - 1]


def _show(finding: "Finding | None", played: "list[Again]") -> None:
    from metrics.divergence import diverges
    from reports.safe import terminal as safe
    from validator.cli.console import output
    from validator.evidence import VOLATILE

    console = output()
    if finding is not None:
        console.print(f"claim     {safe(finding.claim)}")
        console.print(f"saw       {safe(finding.saw)}")
        console.print(f"expected  {safe(finding.expected)}")
    for one in played:
        console.print(f"\n{safe(one.row.key.path)}: {len(one.sent) // 2} requests sent again")
        difference = one.difference
        if one.fault:
            console.print(f"  ended early: {safe(one.fault)}")
        if difference is None:
            console.print("  as recorded")
            continue
        place = f"step {difference.step}, {difference.channel}, {difference.path}"
        console.print(f"  differs from the record at {safe(place)} ({difference.kind})")
        console.print(f"    then  {safe(difference.a)}")
        console.print(f"    now   {safe(difference.b)}")
    for one, other in zip(played, played[1:], strict=False):
        difference = diverges(one.now, other.now, ignore=VOLATILE)
        pair = f"{safe(one.row.key.path)} and {safe(other.row.key.path)}"
        if difference is None:
            console.print(f"\n{pair}: the same as one another this time")
            continue
        place = f"step {difference.step}, {difference.channel}, {difference.path}"
        console.print(f"\n{pair} differ this time at {safe(place)} ({difference.kind})")
        console.print(f"    one    {safe(difference.a)}")
        console.print(f"    other  {safe(difference.b)}")
