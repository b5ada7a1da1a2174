"""`envassay export`: a report in another format."""

import argparse
from pathlib import Path


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("report", metavar="REPORT", type=Path, help="report.json, or its folder")
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--rfc008",
        action="store_true",
        help="RFC 008's own report, version 2, lane hub, under its policy v2: only its ids",
    )
    how.add_argument("--format", metavar="NAME", help="any writer that is installed")
    parser.add_argument(
        "--merge",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="report of `openenv validate` to be taken in first; repeatable",
    )
    parser.add_argument(
        "--output", metavar="FILE", default="-", help="where to; - for the output (default)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the report, whatever its verdict is."""
    from reports.merging import merged
    from validator.cli.places import REPORT
    from validator.cli.reading import read_foreign, read_report
    from validator.cli.write import Wanted
    from validator.policy.judge import judge
    from validator.policy.model import read_policy

    name = "rfc008" if args.rfc008 else args.format
    wanted = Wanted.of(**{name: args.output})
    path = args.report / REPORT if args.report.is_dir() else args.report
    report = read_report(path)
    for other in args.merge:
        report = merged(report, read_foreign(other))
    if name == "rfc008":  # which holds no verdict but that of its own policy
        report = judge(report, read_policy("rfc008-v2"))
    wanted.write(report)
    return 0
