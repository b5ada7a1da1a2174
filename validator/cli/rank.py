"""`envassay rank`: environments beside one another, best first."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.flags import add_home, add_run, add_tracking, manifest_of, tracking_of
from validator.errors import EnvassayError, TargetError

if TYPE_CHECKING:
    from reports.standing import Standing

SCHEMES = ("http://", "https://", "ws://", "wss://")


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "sources",
        metavar="URL|REPORT",
        nargs="*",
        help="targets to validate and reports to read; the tracking store where none is given",
    )
    add_run(parser)
    out = parser.add_argument_group("what comes out")
    out.add_argument("--markdown", metavar="FILE", help="write the ranking there as Markdown")
    add_tracking(out)  # type: ignore[arg-type]
    out.add_argument("--no-track", action="store_true", help="log nothing")
    add_home(out)  # type: ignore[arg-type]
    out.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the ranking; 2 where a target could not be validated."""
    from reports.writers.ranking import markdown_ranking, show_ranking
    from validator.cli.console import complain, output
    from validator.cli.write import check_place
    from validator.recording import write_whole

    if args.markdown:
        check_place(Path(args.markdown), flag="--markdown")
    standings: list[Standing] = []
    code = 0
    if not args.sources:
        standings = _stored(args)
    reports = [source for source in args.sources if not source.startswith(SCHEMES)]
    standings += [_read(Path(name)) for name in reports]
    for url in (source for source in args.sources if source.startswith(SCHEMES)):
        try:
            standings.append(_validated(args, url))
        except TargetError as fault:
            complain(str(fault))
            code = fault.exit_code
    show_ranking(standings, output())
    if args.markdown:
        write_whole(Path(args.markdown), markdown_ranking(standings))
    return code


def _stored(args: argparse.Namespace) -> "list[Standing]":
    from reports.tracking.read import ranking_table
    from reports.tracking.store import StoreError

    try:
        return [row.standing for row in ranking_table(tracking_of(args))]
    except StoreError as fault:
        raise EnvassayError(
            str(fault), where="tracking store", do="Check --tracking-uri, or name reports."
        ) from fault


def _read(path: Path) -> "Standing":
    from reports.standing import standing
    from validator.cli.reading import read_report

    return standing(read_report(path))


def _validated(args: argparse.Namespace, url: str) -> "Standing":
    from contextlib import nullcontext

    from reports.standing import standing
    from validator.cli.progress import Progress
    from validator.cli.road import validate_and_file

    with nullcontext() if args.quiet else Progress() as progress:
        filed = validate_and_file(
            args, url, declared=manifest_of(None), listener=progress, track=not args.no_track
        )
    return standing(filed.report)
