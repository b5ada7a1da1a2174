"""`envassay demo`: serves the example environments, validates each, and ranks them."""

import argparse
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import IO

from validator.cli.flags import add_home, add_run, add_tracking, home_of, manifest_of
from validator.cli.interpreter import openenv_python, server_log
from validator.errors import SettingsError, TargetError

PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Served:
    """One example that is up."""

    name: str
    url: str
    manifest: Path | None


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "--examples",
        metavar="DIR",
        type=Path,
        help="folder of the examples (default: that of this checkout)",
    )
    parser.add_argument(
        "--python",
        metavar="FILE",
        type=Path,
        help="interpreter that has openenv (default: the one `make servers` makes)",
    )
    add_run(parser)
    add_tracking(parser)
    add_home(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=run, budget="quick")


def run(args: argparse.Namespace) -> int:
    """Serve, validate, rank; 0 where every example got its verdict, whatever it is."""
    from reports.safe import terminal
    from reports.standing import standing
    from reports.writers.ranking import markdown_ranking, show_ranking
    from validator.cli.console import complain, note, output
    from validator.cli.progress import Progress
    from validator.cli.road import validate_and_file
    from validator.recording import write_whole

    folder = _examples(args.examples)
    standings, code = [], 0
    note("starting the examples")
    python = openenv_python(args.python, folder.resolve().parent)
    with server_log(args.home) as log, _serving(python, folder, log) as served:
        for number, example in enumerate(served, start=1):
            note(f"{number}/{len(served)} {terminal(example.name)} at {terminal(example.url)}")
            try:
                with nullcontext() if args.quiet else Progress() as progress:
                    filed = validate_and_file(
                        args, example.url, declared=manifest_of(example.manifest), listener=progress
                    )
            except TargetError as fault:
                complain(str(fault))
                code = fault.exit_code
                continue
            standings.append(standing(filed.report))
    console = output()
    show_ranking(standings, console)
    home = home_of(args)
    write_whole(home.root / "ranking.md", markdown_ranking(standings))
    console.print(f"\nReports: {home.runs}, ranking: {home.root / 'ranking.md'}")
    console.print(f"See them in a browser: {_dashboard(args)}")
    return code


def _dashboard(args: argparse.Namespace) -> str:
    command = "envassay dashboard"
    if args.home.name != ".envassay" or len(args.home.parts) > 1:
        command += f" --home {args.home}"
    return f"{command} (in a checkout: make dashboard)"


def _examples(given: Path | None) -> Path:
    checkout = Path(__file__).resolve().parents[2] / "examples"
    for folder in [given] if given else [Path("examples"), checkout]:
        if (folder / "serve.py").is_file():
            return folder
    raise SettingsError(
        "the examples are not here",
        where=str(given or "examples"),
        do="They come with the repository: run this in a checkout, or name their folder.",
    )


@contextmanager
def _serving(python: Path, examples: Path, log: IO[bytes]) -> Iterator[list[Served]]:
    """Start every example, give them once all are up, and end them."""
    command = [str(python), str(examples / "serve.py"), "--all"]
    try:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    except OSError as fault:
        raise SettingsError(
            f"cannot be started ({fault.strerror})", where=str(python), do="Check --python."
        ) from fault
    try:
        yield list(_announced(child, examples, log))
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _announced(child: "subprocess.Popen[str]", examples: Path, log: IO[bytes]) -> Iterator[Served]:
    """Yield a served example for each line `name<TAB>url<TAB>manifest`, up to `ready`."""
    lines: Queue[str] = Queue()

    def read() -> None:
        assert child.stdout is not None
        for line in child.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=PATIENCE_SECONDS)
        except Empty:
            line = ""
        if line.strip() == "ready":
            return
        name, _, rest = line.strip().partition("\t")
        url, _, manifest = rest.partition("\t")
        if not url:
            raise SettingsError(
                "the examples did not start",
                where=str(examples / "serve.py"),
                do=f"{log.name} says why.",
            )
        yield Served(name, url, None if manifest in ("", "-") else Path(manifest))
