"""`envassay gate`: admit or reject, by a written rule, line by line."""

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.flags import (
    add_comparison,
    add_home,
    add_resume,
    add_run,
    add_tracking,
    manifest_of,
)
from validator.cli.formats import add_formats, beside, wanted_of
from validator.errors import SettingsError

if TYPE_CHECKING:
    from reports.model import Report

URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "target", metavar="TARGET|REPORT", help="a URL to validate first, or a report to judge"
    )
    rule = parser.add_argument_group("the rule")
    rule.add_argument(
        "--require-complete",
        action="store_true",
        help="fail where a question of severity `fail` was not decided",
    )
    rule.add_argument(
        "--merge",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="report of `openenv validate`, so that one verdict covers both; repeatable",
    )
    parser.add_argument("--manifest", metavar="FILE", type=Path, help="the author's declarations")
    add_run(parser)
    add_comparison(parser)
    out = parser.add_argument_group("what comes out")
    add_formats(out)
    out.add_argument(
        "--annotate", action="store_true", help="also print annotations for GitHub's log"
    )
    add_tracking(out)  # type: ignore[arg-type]
    out.add_argument("--no-track", action="store_true", help="log nothing")
    add_home(out)  # type: ignore[arg-type]
    add_resume(out)
    out.add_argument("-q", "--quiet", action="store_true", help="print the verdict alone")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge, explain, and return the exit code of the verdict."""
    from reports.merging import merged
    from validator.cli.console import errors, output, say
    from validator.cli.explain import explain
    from validator.cli.policy import read_usable
    from validator.cli.reading import read_baseline, read_foreign
    from validator.policy.judge import judge

    wanted = wanted_of(args)
    policy = read_usable(args.policy)
    baseline = read_baseline(args.baseline).report if args.baseline else None
    foreign = [read_foreign(path) for path in args.merge]
    report = _found(args)
    for other in foreign:
        report = merged(report, other)
    if baseline is not None and report.ledger.reused:
        raise SettingsError(
            f"{report.ledger.reused} of its episodes are those of an earlier run, which cannot "
            "tell what has changed since",
            where=args.target,
            do="Validate without --reuse, or leave --baseline out.",
        )
    report = judge(report, policy, baseline=baseline, complete=args.require_complete)
    console = errors() if wanted.takes_output else output()
    explain(report, console, quiet=args.quiet)
    if args.annotate:
        from reports.writers.github_annotations import GithubAnnotations

        commands = GithubAnnotations().write(report)
        if wanted.takes_output:  # GitHub reads them from either stream
            sys.stderr.write(commands)
        else:
            say(commands)
    wanted.write(report)
    return report.verdict.exit_code


def _found(args: argparse.Namespace) -> "Report":
    """Return the report that is named, or that of a run on the target that is named."""
    if not URL.match(args.target):
        from validator.cli.places import REPORT
        from validator.cli.reading import read_report

        _refuse_what_plays(args)
        manifest_of(args.manifest)
        path = Path(args.target)
        return beside(read_report(path / REPORT if path.is_dir() else path), args.manifest)
    from contextlib import nullcontext

    from validator.cli.progress import Progress
    from validator.cli.road import validate_and_file

    with nullcontext() if args.quiet else Progress() as progress:
        filed = validate_and_file(
            args,
            args.target,
            declared=manifest_of(args.manifest),
            listener=progress,
            resume=args.resume,
            track=not args.no_track,
        )
    return beside(filed.report, args.manifest)


def _refuse_what_plays(args: argparse.Namespace) -> None:
    """Refuse flags of a run where a report is judged: they would change nothing, unnoticed.

    Raises:
        SettingsError: one is given.
    """
    parser = argparse.ArgumentParser()
    add_run(parser)
    usual = vars(parser.parse_args([])) | {"twin": None, "resume": None}
    for name, value in usual.items():
        if name not in ("policy", "baseline") and getattr(args, name) != value:
            raise SettingsError(
                "means nothing where a report is judged: nothing is played",
                where=f"--{name.replace('_', '-')}",
                do="Leave it out, or name a URL.",
            )
