"""`envassay validate`: one target, its verdict, and why."""

import argparse
from contextlib import nullcontext
from pathlib import Path

from validator.cli.flags import add_comparison, add_home, add_run, add_tracking, manifest_of


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("target", metavar="TARGET", help="base URL: http, https, ws or wss")
    parser.add_argument("--manifest", metavar="FILE", type=Path, help="the author's declarations")
    add_run(parser)
    add_comparison(parser)
    out = parser.add_argument_group("what comes out")
    out.add_argument("--json", metavar="FILE", help="write the report there too; - for the output")
    out.add_argument("--markdown", metavar="FILE", help="the same as Markdown")
    add_tracking(out)  # type: ignore[arg-type]
    out.add_argument("--no-track", action="store_true", help="log nothing")
    add_home(out)  # type: ignore[arg-type]
    out.add_argument(
        "--resume",
        metavar="RUN",
        nargs="?",
        const="",
        help="go on with a run that was ended early: the newest of this target, or a folder",
    )
    out.add_argument("-q", "--quiet", action="store_true", help="print the verdict alone")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Validate, show, and return the exit code of the verdict."""
    from reports.safe import terminal
    from validator.cli.console import errors, output
    from validator.cli.progress import Progress
    from validator.cli.road import validate_and_file
    from validator.cli.write import Wanted

    wanted = Wanted.of(json=args.json, markdown=args.markdown)
    with nullcontext() if args.quiet else Progress() as progress:
        filed = validate_and_file(
            args,
            args.target,
            declared=manifest_of(args.manifest),
            listener=progress,
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
    wanted.write(report)
    return report.verdict.exit_code
