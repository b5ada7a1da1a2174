"""`envassay validate`: one target, its verdict, and why."""

import argparse
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.flags import (
    add_comparison,
    add_home,
    add_resume,
    add_reuse,
    add_run,
    add_tracking,
    manifest_of,
)
from validator.cli.formats import add_formats, beside, wanted_of

if TYPE_CHECKING:
    from validator.events import Listener


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("target", metavar="TARGET", help="base URL: http, https, ws or wss")
    parser.add_argument("--manifest", metavar="FILE", type=Path, help="the author's declarations")
    add_run(parser)
    add_comparison(parser)
    add_reuse(parser)
    out = parser.add_argument_group("what comes out")
    add_formats(out)
    out.add_argument("--events", metavar="FILE", type=Path, help=argparse.SUPPRESS)
    add_tracking(out)  # type: ignore[arg-type]
    out.add_argument("--no-track", action="store_true", help="log nothing")
    add_home(out)  # type: ignore[arg-type]
    add_resume(out)
    out.add_argument("-q", "--quiet", action="store_true", help="print the verdict alone")
    parser.set_defaults(run=run)


def _listening(args: argparse.Namespace) -> "AbstractContextManager[Listener | None]":
    """Return who is told of the run: a file, the terminal, or nobody."""
    from validator.cli.event_file import EventFile
    from validator.cli.progress import Progress

    if args.events is not None:
        return EventFile(args.events)
    return nullcontext() if args.quiet else Progress()


def run(args: argparse.Namespace) -> int:
    """Validate, show, and return the exit code of the verdict."""
    from reports.safe import terminal
    from validator.cli.console import errors, output
    from validator.cli.road import validate_and_file

    wanted = wanted_of(args)
    with _listening(args) as listener:
        filed = validate_and_file(
            args,
            args.target,
            declared=manifest_of(args.manifest),
            listener=listener,
            resume=args.resume,
            track=not args.no_track,
        )
    report = filed.report
    console = errors() if wanted.takes_output else output()
    if args.quiet:
        console.print(terminal(f"{report.verdict.status} {report.target.url}"))
    else:
        from reports.writers.terminal import show

        show(report, console, files=filed.files)
    wanted.write(beside(report, args.manifest))
    return report.verdict.exit_code
