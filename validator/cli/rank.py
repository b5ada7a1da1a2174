"""`envassay rank`: environments beside one another, best first."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.flags import (
    add_home,
    add_run,
    add_tracking,
    tracking_of,
    whole,
)
from validator.errors import EnvassayError, SettingsError

if TYPE_CHECKING:
    from reports.standing import Standing
    from validator.target_list import Listed

SCHEMES = ("http://", "https://", "ws://", "wss://")


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "sources",
        metavar="URL|FILE|REPORT",
        nargs="*",
        help="targets to validate, files that list them one a line, and reports (.json) to read; "
        "the tracking store where none is given",
    )
    add_run(parser)
    many = parser.add_argument_group("many targets")
    many.add_argument(
        "--at-once",
        metavar="N",
        type=whole(least=1),
        help="most targets validated at once (default: 16)",
    )
    many.add_argument(
        "--per-host",
        metavar="N",
        type=whole(least=1),
        help="most of them on one host (default: 2, and 1 on this machine)",
    )
    many.add_argument(
        "--engine",
        metavar="ENGINE",
        default="local",
        help="local (default), or ray: an existing Ray cluster, by its address as ray:HOST:PORT",
    )
    many.add_argument(
        "--resume",
        action="store_true",
        help="read the reports of targets that were validated with these settings before, go on "
        "with runs that were ended early, and validate the rest",
    )
    many.add_argument(
        "--reuse",
        action="store_const",
        const="",
        help="take from the newest finished run of each target what says nothing about now, if a "
        "sample of it comes out the same again",
    )
    best = parser.add_argument_group("the best few")
    best.add_argument(
        "--top",
        metavar="K",
        type=whole(least=1),
        help="find the best K: all get a quick look, and only those that may still be among them, "
        "or may not, are played on, up to --budget",
    )
    best.add_argument(
        "--tolerance",
        metavar="X",
        type=_share,
        help="difference of the value ranked by that does not matter (default: 0.1)",
    )
    out = parser.add_argument_group("what comes out")
    out.add_argument("--markdown", metavar="FILE", help="write the ranking there as Markdown")
    add_tracking(out)  # type: ignore[arg-type]
    out.add_argument("--no-track", action="store_true", help="log nothing")
    add_home(out)  # type: ignore[arg-type]
    out.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def _share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0.0 <= found < 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no share from 0 to below 1")
    return found


def run(args: argparse.Namespace) -> int:
    """Show the ranking; 2 where a target could not be validated, 3 where a fault was ours."""
    from reports.race import lines_of
    from reports.writers.ranking import markdown_ranking, show_ranking
    from validator.cli.console import output
    from validator.cli.many import Tried, validate_many
    from validator.cli.racing import race
    from validator.cli.write import check_place
    from validator.recording import write_whole

    if args.markdown:
        check_place(Path(args.markdown), flag="--markdown")
    standings = [] if args.sources else _stored(args)
    targets: list[Listed] = []
    for source in args.sources:
        found = _targets(source)
        targets += found
        if not found:
            standings.append(_read(Path(source)))
    if args.top is not None and (standings or not targets):
        raise SettingsError(
            "races targets, and what is read from a report cannot be played on",
            where="--top",
            do="Name addresses, or files that list them.",
        )
    tried = Tried()
    told: list[str] = []
    if args.top is not None:
        told = lines_of(race(args, dict.fromkeys(targets), tried))
    elif targets:
        validate_many(args, dict.fromkeys(targets), tried)
    standings += tried.standings.values()
    show_ranking(standings, output(), told)
    if args.markdown:
        write_whole(Path(args.markdown), markdown_ranking(standings, told))
    if tried.stopped is not None:
        raise tried.stopped
    return tried.code


def _targets(source: str) -> "Sequence[Listed]":
    """Return the targets that an argument names; none where it is a report."""
    from validator.target_list import Listed, read_targets

    if source.startswith(SCHEMES):
        return [Listed(url=source)]
    return [] if source.endswith(".json") or Path(source).is_dir() else read_targets(Path(source))


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
    from validator.cli.places import REPORT
    from validator.cli.reading import read_report

    return standing(read_report(path / REPORT if path.is_dir() else path))
