"""Validates many targets for a command, each to a folder of its own."""

import argparse
import json
import signal
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from validator.cli.flags import home_of, manifest_of
from validator.errors import Interrupted, SettingsError

if TYPE_CHECKING:
    from reports.standing import Standing
    from validator.engines.base import Engine, Job
    from validator.settings import Settings
    from validator.target_list import Listed


@dataclass(slots=True)
class Tried:
    """What became of targets so far, by their address; the last run of each counts."""

    standings: "dict[str, Standing]" = field(default_factory=dict)
    folders: dict[str, Path] = field(default_factory=dict)
    """Of the runs that have a report."""
    code: int = 0
    stopped: Interrupted | None = None
    """Set where a signal has ended it."""


def validate_many(args: argparse.Namespace, targets: "Iterable[Listed]", tried: Tried) -> None:
    """Validate targets, and add their rows as they end."""
    from reports.standing import standing
    from validator.cli.console import complain, note
    from validator.cli.log import log_to
    from validator.cli.road import file_report, remove_if_empty
    from validator.engines.base import Broken, Finished, Left

    engine, earlier = _engine(args), _Earlier(args)
    jobs = [job for listed in targets if (job := _job(args, listed, earlier, tried))]
    args.home.mkdir(parents=True, exist_ok=True)
    log_to(args.home / "rank.log")
    ended, told = 0, ""
    with _stopping(engine) as came, _watching(args, len(jobs)) as show:
        for outcome in engine.run(jobs):
            match outcome:
                case Finished(job=job, report=report):
                    ended += 1
                    file_report(args, report, job.settings.folder, track=not args.no_track)
                    tried.standings[job.url] = standing(report)
                    tried.folders[job.url] = job.settings.folder
                    told = f"{report.verdict.status} {report.target.name} {job.url}"
                case Broken(job=job, fault=fault):
                    ended += 1
                    tried.code = max(tried.code, fault.exit_code)
                    remove_if_empty(job.settings.folder)
                    complain(str(fault))
                    told = f"not validated: {job.url}"
                case Left(job=job):
                    told = f"not finished: {job.url}"
                    remove_if_empty(job.settings.folder)
            if not show(tried.standings.values(), ended) and not args.quiet:
                note(f"{ended}/{len(jobs)} {told}")
    if not came:
        return
    tried.stopped = Interrupted(
        f"stopped by {came[0].name}; {ended} of {len(jobs)} targets are finished",
        where="rank",
        do="Go on with the same command and --resume.",
    )
    tried.stopped.exit_code = 128 + came[0]


def _job(
    args: argparse.Namespace,
    listed: "Listed",
    earlier: "_Earlier",
    tried: Tried,
) -> "Job | None":
    """Return what is left to do for a target; None where its report is there and was added."""
    from reports.standing import standing
    from validator.cli.flags import headers_of, reusing, settings_of, tiers_of
    from validator.cli.places import REPORT
    from validator.cli.reading import read_report
    from validator.client.address import read_address
    from validator.engines.base import Job

    home, declared = home_of(args), manifest_of(listed.manifest)
    address = read_address(listed.url).http
    settings = reusing(args, address, settings_of(args, Path(), declared))
    folder = earlier.run_of(address, settings) if args.resume else None
    if folder is not None and (folder / REPORT).exists():
        tried.standings[listed.url] = standing(read_report(folder / REPORT))
        tried.folders[listed.url] = folder
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

        def show(standings: "Collection[Standing]", ended: int) -> bool:
            body = ranking_in_progress(standings, width=console.width, height=console.height - 4)
            live.update(Group(body, Text(f"{ended} of {wanted} targets are done")), refresh=True)
            return True

        show((), 0)
        yield show
