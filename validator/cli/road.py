"""Runs one validation for a command and files what it found."""

import argparse
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from validator.cli.flags import (
    headers_of,
    home_of,
    reusing,
    settings_of,
    tiers_of,
    tracking_of,
)
from validator.cli.log import log_to
from validator.cli.places import REPORT
from validator.cli.stops import Stopped, run_until_signal
from validator.errors import Interrupted, SettingsError

if TYPE_CHECKING:
    from reports.model import Report
    from validator.events import Event, Listener
    from validator.manifest import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A finished validation and where its files are."""

    report: "Report"
    files: Mapping[str, str]
    """Path or place by what it is, to be shown."""


def validate_and_file(
    args: argparse.Namespace,
    url: str,
    *,
    declared: "Manifest",
    listener: "Listener | None" = None,
    resume: str | None = None,
    track: bool = True,
) -> Filed:
    """Validate one target as the flags say, write its files, and log it.

    Args:
        args: Flags of `validator.cli.flags.add_run`, `add_home` and `add_tracking`.
        url: The target.
        declared: What its author declares.
        listener: Told what happens.
        resume: Folder of the run to go on with; empty for the newest that was ended early.
        track: Log it to the tracking store.

    Raises:
        TargetError: nothing usable at the address.
        SettingsError: a flag or file is wrong.
        Interrupted: a signal ended it; what was played is kept.
    """
    from validator.client.address import read_address
    from validator.installed import Installed
    from validator.recording import read_told
    from validator.run import validate
    from validator.targets.url import UrlTarget

    target = UrlTarget(url, headers=headers_of(args.header), proxy=args.proxy)
    home, address = home_of(args), read_address(url).http
    settings = reusing(args, address, settings_of(args, Path(), declared))
    tiers = tiers_of(args).probes(home.replies)
    installed = Installed.choose(settings.probes, settings.policy.severities, tiers)
    if resume is None:
        folder = home.new_run(address)
    else:
        folder = Path(resume) if resume else home.unfinished(address)
        read_told(folder)
    settings = replace(settings, folder=folder)
    log_to(folder / "run.log")
    count = _Counter()
    listeners: list[Listener] = [count]
    if listener is not None:
        listeners.append(listener)
    try:
        report = run_until_signal(lambda: validate(target, settings, installed, listeners))
    except Stopped as stop:
        raise _interrupted(stop, folder, count.finished) from None
    finally:
        remove_if_empty(folder)
    return file_report(args, report, folder, track=track)


class _Counter:
    """Counts the episodes that are on disk."""

    def __init__(self) -> None:
        self.finished = 0

    def __call__(self, event: "Event") -> None:
        from validator.events import EpisodeEnded, EpisodesTaken, RunPlanned

        match event:
            case RunPlanned(kept=kept):
                self.finished += kept
            case EpisodesTaken(episodes=taken):
                self.finished += taken
            case EpisodeEnded():
                self.finished += 1


def _interrupted(stop: Stopped, folder: Path, finished: int) -> Interrupted:
    again = [word for word in sys.argv[1:] if word != "--resume"]
    command = shlex.join(["envassay", *again, "--resume"])
    fault = Interrupted(
        f"stopped by {stop.number.name}; {finished} finished episodes are kept",
        where=str(folder),
        do=f"Go on with: {command}" if finished else "Nothing was lost.",
    )
    fault.exit_code = 128 + stop.number
    return fault


def remove_if_empty(folder: Path) -> None:
    """Leave no empty folder behind where the target could not be reached."""
    try:
        folder.rmdir()
    except OSError:
        return


def file_report(args: argparse.Namespace, report: "Report", folder: Path, *, track: bool) -> Filed:
    """Write the files of a finished run into its folder, and log it.

    Raises:
        SettingsError: the folder cannot be written.
    """
    from reports.model import dump
    from reports.tracking.log import Logged, log_report
    from reports.writers.markdown import Markdown
    from validator.recording import EPISODES, write_whole
    from validator.table import EpisodeTable
    from validator.tidy import episodes_csv

    table = folder / "episodes.csv"
    page = folder / "report.md"
    try:
        write_whole(table, episodes_csv(EpisodeTable.of(folder / EPISODES)))
        write_whole(page, Markdown().write(report))
        write_whole(folder / REPORT, dump(report))
    except OSError as fault:
        raise SettingsError(
            f"cannot be written ({fault.strerror})",
            where=str(folder),
            do="Free some room, then go on with --resume: the episodes are kept.",
        ) from fault
    files = {"report": str(folder / REPORT), "markdown": str(page), "episodes": str(table)}
    if track:
        kept = [page, table, folder / EPISODES]
        found = log_report(report, tracking_uri=tracking_of(args), artifacts=kept)
        files["tracking"] = (
            found.link or found.where
            if isinstance(found, Logged)
            else f"not logged: {found.reason}"
        )
    return Filed(report=report, files=files)
