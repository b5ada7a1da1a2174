"""`envassay replay`: shows one finding of a report once more, on the server, and nothing else."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from validator.cli.flags import add_home, add_wire, headers_of, home_of, limits_of
from validator.errors import SettingsError

if TYPE_CHECKING:
    from reports.model import Finding, Report
    from validator.again import Again
    from validator.table import EpisodeTable, Row
    from validator.targets.base import Target

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
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        type=Path,
        help="the author's declarations, where they name files and an exercise needs them",
    )
    add_home(parser)
    add_wire(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play once more; 0 where it goes as recorded, 1 where it does not.

    The episodes that a finding names are played again; where it names none, it came of an
    exercise or of how many sessions were served, and its check is asked once more.
    """
    from validator.again import episodes_named
    from validator.cli.reading import read_report
    from validator.recording import episodes_of, read_told
    from validator.table import EpisodeTable
    from validator.targets.url import UrlTarget

    report = read_report(args.report)
    folder = _folder(args, report)
    table = EpisodeTable.of(episodes_of(folder))
    finding = None
    rows = [row for row in table.everything if row.key.path == args.finding]
    if not rows:
        finding = _finding(report, args.finding)
        rows = episodes_named(finding.where, table)
    target = UrlTarget(
        args.url or report.target.url, headers=headers_of(args.header), proxy=args.proxy
    )
    if rows:
        return _play_again(args, finding, target, table, rows)
    assert finding is not None
    return _ask_again(args, finding, target, read_told(folder))


def _folder(args: argparse.Namespace, report: "Report") -> Path:
    """Return the folder of the report's run: where the report lies, else that of its name at home.

    Raises:
        SettingsError: its episodes are in neither.
    """
    from validator.recording import episodes_of

    named = home_of(args).runs / Path(report.run).name
    for folder in (args.report.parent, named):
        if episodes_of(folder).exists():
            return Path(folder)
    raise SettingsError(
        "the run's episodes are not beside it",
        where=str(args.report),
        do=f"Name the report.json in the run's folder (runs/{report.run}), or its --home.",
    )


def _play_again(
    args: argparse.Namespace,
    finding: "Finding | None",
    target: "Target",
    table: "EpisodeTable",
    rows: "list[Row]",
) -> int:
    import asyncio

    from validator.again import play_again

    async def road() -> "list[Again]":
        async with target.open(limits_of(args.limit)) as server:
            return await play_again(server, table, rows)

    played = asyncio.run(road())
    _show(finding, played)
    if any(one.broke_again for one in played):
        return SAME
    return OTHER if any(one.fault or one.difference for one in played) else SAME


def _ask_again(
    args: argparse.Namespace, finding: "Finding", target: "Target", told: "dict[str, Any]"
) -> int:
    import asyncio
    from tempfile import TemporaryDirectory

    from reports.safe import terminal as safe
    from validator.cli.console import output
    from validator.cli.flags import manifest_of
    from validator.once_more import Question, ask_again

    question = Question(
        check=args.finding.partition("/")[0],
        told=told,
        manifest=manifest_of(args.manifest) if args.manifest else None,
        limits=limits_of(args.limit),
    )
    with TemporaryDirectory(prefix="envassay-replay-") as folder:
        result = asyncio.run(ask_again(question, target, Path(folder)))
    again = [one for one in result.findings if one.claim == finding.claim]
    console = output()
    _introduce(finding)
    console.print(f"\n{question.check} asked once more: {result.status}, {safe(result.reason)}")
    for one in again or result.findings:
        console.print(f"  claim     {safe(one.claim)}")
        console.print(f"  saw       {safe(one.saw)}")
        console.print(f"  where     {safe(one.where)}")
    return SAME if again else OTHER


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


def _introduce(finding: "Finding") -> None:
    from reports.safe import terminal as safe
    from validator.cli.console import output

    console = output()
    console.print(f"claim     {safe(finding.claim)}")
    console.print(f"saw       {safe(finding.saw)}")
    console.print(f"expected  {safe(finding.expected)}")


def _show(finding: "Finding | None", played: "list[Again]") -> None:
    from metrics.divergence import diverges
    from metrics.volatile import VOLATILE
    from reports.safe import terminal as safe
    from validator.cli.console import output

    console = output()
    if finding is not None:
        _introduce(finding)
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
