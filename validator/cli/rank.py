"""`envassay rank`: environments beside one another, best first."""

import argparse
import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from validator.cli.flags import (
    add_home,
    add_run,
    add_tracking,
    home_of,
    manifest_of,
    tracking_of,
    whole,
)
from validator.errors import EnvassayError, Interrupted, SettingsError

if TYPE_CHECKING:
    from reports.standing import Standing
    from validator.engines.base import Engine, Job
    from validator.settings import Settings
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
    out = parser.add_argument_group("what comes out")
    out.add_argument("--markdown", metavar="FILE", help="write the ranking there as Markdown")
    add_tracking(out)  # type: ignore[arg-type]
    out.add_argument("--no-track", action="store_true", help="log nothing")
    add_home(out)  # type: ignore[arg-type]
    out.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the ranking; 2 where a target could not be validated, 3 where a fault was ours."""
    from reports.writers.ranking import markdown_ranking, show_ranking
    from validator.cli.console import output
    from validator.cli.write import check_place
    from validator.recording import write_whole

    if args.markdown:
        check_place(Path(args.markdown), flag="--markdown")
    standings = [] if args.sources else _stored(args)
    code, stopped = 0, None
    targets: list[Listed] = []
    for source in args.sources:
        found = _targets(source)
        targets += found
        if not found:
            standings.append(_read(Path(source)))
    if targets:
        code, stopped = _validate(args, list(dict.fromkeys(targets)), standings)
    show_ranking(standings, output())
    if args.markdown:
        write_whole(Path(args.markdown), markdown_ranking(standings))
    if stopped is not None:
        raise stopped
    return code


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


def _validate(
    args: argparse.Namespace, targets: "list[Listed]", standings: "list[Standing]"
) -> tuple[int, Interrupted | None]:
    """Validate targets, each to its own folder, and add their rows as they end."""
    from reports.standing import standing
    from validator.cli.console import complain, note
    from validator.cli.log import log_to
    from validator.cli.road import file_report, remove_if_empty
    from validator.engines.base import Broken, Finished, Left

    engine, earlier = _engine(args), _Earlier(args)
    jobs = [job for listed in targets if (job := _job(args, listed, earlier, standings))]
    args.home.mkdir(parents=True, exist_ok=True)
    log_to(args.home / "rank.log")
    code, ended, told = 0, 0, ""
    with _stopping(engine) as came, _watching(args, len(jobs)) as show:
        for outcome in engine.run(jobs):
            match outcome:
                case Finished(job=job, report=report):
                    ended += 1
                    file_report(args, report, job.settings.folder, track=not args.no_track)
                    standings.append(standing(report))
                    told = f"{report.verdict.status} {report.target.name} {job.url}"
                case Broken(job=job, fault=fault):
                    ended += 1
                    code = max(code, fault.exit_code)
                    remove_if_empty(job.settings.folder)
                    complain(str(fault))
                    told = f"not validated: {job.url}"
                case Left(job=job):
                    told = f"not finished: {job.url}"
                    remove_if_empty(job.settings.folder)
            if not show(standings, ended) and not args.quiet:
                note(f"{ended}/{len(jobs)} {told}")
    if not came:
        return code, None
    stopped = Interrupted(
        f"stopped by {came[0].name}; {ended} of {len(jobs)} targets are finished",
        where="rank",
        do="Go on with the same command and --resume.",
    )
    stopped.exit_code = 128 + came[0]
    return code, stopped


def _job(
    args: argparse.Namespace,
    listed: "Listed",
    earlier: "_Earlier",
    standings: "list[Standing]",
) -> "Job | None":
    """Return what is left to do for a target; None where its report is there and was added."""
    from validator.cli.flags import headers_of, reusing, settings_of, tiers_of
    from validator.cli.places import REPORT
    from validator.client.address import read_address
    from validator.engines.base import Job

    home, declared = home_of(args), manifest_of(listed.manifest)
    address = read_address(listed.url).http
    settings = reusing(args, address, settings_of(args, Path(), declared))
    folder = earlier.run_of(address, settings) if args.resume else None
    if folder is not None and (folder / REPORT).exists():
        standings.append(_read(folder))
        return None
    return Job(
        url=listed.url,
        settings=replace(settings, folder=folder or home.new_run(address)),
        tiers=tiers_of(args),
        replies=home.replies,
        headers=headers_of(args.header),
        proxy=args.proxy,
    )


class _Earlier:
    """The runs of a home folder, by target."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._runs: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
        for folder, told in home_of(args).recorded() if args.resume else ():
            self._runs.setdefault(str(told.get("target")), []).append((folder, told))

    def run_of(self, address: str, settings: "Settings") -> Path | None:
        """Return the newest run of a target that was told the same, finished or not."""
        from validator.recording import is_told, told_of

        wanted = json.loads(json.dumps(told_of(settings)))
        for folder, told in self._runs.get(address, ()):
            if is_told(told, wanted):
                return folder
        return None


def _engine(args: argparse.Namespace) -> "Engine":
    from validator.engines.local import AT_ONCE, LocalEngine
    from validator.engines.turns import Turns

    turns = Turns(at_once=args.at_once or AT_ONCE, per_host=args.per_host)
    name, _, address = args.engine.partition(":")
    match name:
        case "local" if not address:
            return LocalEngine(turns)
        case "ray" if args.reuse is not None:
            raise SettingsError(
                "takes episodes of runs on this machine, which workers elsewhere do not have",
                where="--reuse",
                do="Leave it out, or use --engine local.",
            )
        case "ray":
            from validator.engines.ray import RayEngine

            return RayEngine(turns, address=address or "auto")
    raise SettingsError(
        f"no engine {args.engine!r}", where="--engine", do="Use local, ray, or ray:ADDRESS."
    )


@contextmanager
def _stopping(engine: "Engine") -> Iterator[list[signal.Signals]]:
    """Let the first signal stop the engine in order, and a second one end the process."""
    from validator.cli.stops import SIGNALS

    came: list[signal.Signals] = []
    old = {number: signal.getsignal(number) for number in SIGNALS}

    def restore() -> None:
        for number, handler in old.items():
            signal.signal(number, handler)

    def stop(number: int, _frame: FrameType | None) -> None:
        came.append(signal.Signals(number))
        restore()
        engine.stop()

    for number in SIGNALS:
        signal.signal(number, stop)
    try:
        yield came
    finally:
        restore()


@contextmanager
def _watching(args: argparse.Namespace, wanted: int) -> Iterator[Any]:
    """Draw the ranking anew on a terminal as targets end; the function says if it did."""
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    from reports.writers.ranking import ranking_in_progress
    from validator.cli.console import errors

    console = errors()
    if args.quiet or not console.is_terminal or wanted < 2:
        yield lambda _standings, _ended: False
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:

        def show(standings: "Sequence[Standing]", ended: int) -> bool:
            body = ranking_in_progress(standings, width=console.width, height=console.height - 4)
            live.update(Group(body, Text(f"{ended} of {wanted} targets are done")), refresh=True)
            return True

        show((), 0)
        yield show
