"""`envassay calibrate`: proves the checks on environments whose faults are known."""

import argparse
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from validator.cli.console import say
from validator.cli.flags import add_home, add_run, add_tracking, whole
from validator.cli.interpreter import openenv_python, server_log
from validator.errors import SettingsError, TargetError

if TYPE_CHECKING:
    from validator.calibration import Judged, Labelled

SUITE = Path("tests/calibration")
SECOND = "@2"
"""Marks a second process of the same environment."""
WRONG = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="class or class/name (default: every environment of the suite)",
    )
    parser.add_argument("--runs", metavar="N", type=whole(least=1), default=1, help="default: 1")
    parser.add_argument(
        "--sample",
        metavar="N",
        type=whole(least=1),
        help="only the first N faulty and N healthy environments of each class",
    )
    parser.add_argument(
        "--suite", metavar="DIR", type=Path, help="folder of the suite (default: this checkout's)"
    )
    parser.add_argument("--python", metavar="FILE", type=Path, help="interpreter that has openenv")
    parser.add_argument("--table", metavar="FILE", type=Path, help="write the table there, too")
    add_run(parser)
    add_tracking(parser)
    add_home(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge every environment of the suite; 1 where one was judged wrongly."""
    from reports.safe import terminal as safe
    from validator.calibration import first_of_each
    from validator.cli.console import note
    from validator.recording import write_whole

    suite = _suite(args.suite)
    judged: list[Judged] = []
    python = openenv_python(args.python, suite.resolve().parents[1])
    with server_log(args.home) as log, _served(python, suite, log) as ask:
        chosen = _chosen(suite, ask({"list": True})["names"], args.names)
        if args.sample is not None:
            chosen = first_of_each(chosen, args.sample)
        seed = args.seed
        for place, labelled in enumerate(chosen, start=1):
            for number in range(args.runs):
                args.seed = seed + number
                one = _judge(args, labelled, ask)
                judged.append(one)
                told = "; ".join(f"{name} {why}" for name, why in one.reasons.items())
                word = "right" if one.right else f"WRONG: {safe(told, 600)}"
                if one.questions:
                    word += f" (asked: {', '.join(sorted(one.questions))})"
                note(f"{place}/{len(chosen)} {labelled.name} {one.seconds:.1f} s {word}")
    table = _table(judged)
    say(table)
    if args.table:
        write_whole(args.table, table)
    return 0 if judged and all(one.right for one in judged) else WRONG


def _judge(args: argparse.Namespace, labelled: "Labelled", ask: "Any") -> "Judged":
    from validator.calibration import judge
    from validator.cli.road import validate_and_file

    args.baseline = _earlier(args, labelled, ask)
    with ExitStack() as served:
        url = served.enter_context(_started(labelled.name, ask))
        args.twin = (
            served.enter_context(_started(labelled.twin + SECOND, ask)) if labelled.twin else None
        )
        args.played = labelled.harnesses
        began = time.perf_counter()
        filed = validate_and_file(args, url, declared=labelled.manifest, track=False)
    return judge(labelled, filed.report, time.perf_counter() - began)


def _earlier(args: argparse.Namespace, labelled: "Labelled", ask: "Any") -> Path | None:
    """Validate what an environment is held against, and return the folder of that run."""
    from validator.cli.road import validate_and_file

    args.baseline = args.twin = None
    if not labelled.baseline:
        return None
    with _started(labelled.baseline, ask) as url:
        filed = validate_and_file(args, url, declared=labelled.manifest, track=False)
    return Path(filed.files["report"]).parent


@contextmanager
def _started(name: str, ask: "Any") -> Iterator[str]:
    """Serve an environment of the suite and give its address."""
    url: str = ask({"start": name})["url"]
    try:
        yield url
    finally:
        ask({"stop": name})


def _suite(given: Path | None) -> Path:
    checkout = Path(__file__).resolve().parents[2] / SUITE
    for folder in [given] if given else [SUITE, checkout]:
        if (folder / "serve.py").is_file():
            return folder
    raise SettingsError(
        "the suite is not here",
        where=str(given or SUITE),
        do="It comes with the repository: run this in a checkout, or name its folder.",
    )


def _chosen(suite: Path, names: list[str], wanted: list[str]) -> "list[Labelled]":
    from validator.calibration import read_labelled

    for want in wanted:
        if not any(name == want or name.startswith(f"{want}/") for name in names):
            raise SettingsError(
                f"no environment or class named {want!r}",
                where="NAME",
                do=f"Classes: {', '.join(sorted({name.partition('/')[0] for name in names}))}.",
            )
    kept = [
        name
        for name in names
        if not wanted or any(name == want or name.startswith(f"{want}/") for want in wanted)
    ]
    return [read_labelled(suite / f"{name}.yaml", name) for name in kept]


@contextmanager
def _served(python: Path, suite: Path, log: IO[bytes]) -> Iterator[Any]:
    """Start the suite's server and give what asks it; it takes all environments with it."""
    try:
        child = subprocess.Popen(
            [str(python), str(suite / "serve.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    except OSError as fault:
        raise SettingsError(
            f"cannot be started ({fault.strerror})", where=str(python), do="Check --python."
        ) from fault

    def ask(request: dict[str, Any]) -> dict[str, Any]:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(json.dumps(request) + "\n")
            child.stdin.flush()
            answer = json.loads(child.stdout.readline() or "{}")
        except (OSError, ValueError) as fault:
            raise TargetError(
                f"the suite's server broke ({type(fault).__name__})",
                where=str(suite),
                do=f"{log.name} says why.",
            ) from fault
        if not answer or "error" in answer:
            raise TargetError(
                answer.get("error", "the suite's server ended"),
                where=str(suite),
                do=f"{log.name} says why.",
            )
        found: dict[str, Any] = answer
        return found

    try:
        yield ask
    finally:
        assert child.stdin is not None
        child.stdin.close()
        child.terminate()
        child.wait()


def _table(judged: "list[Judged]") -> str:
    from validator.calibration import totals

    lines = [
        "| class | must be found | found | runs of healthy ones | false alarms | questions "
        "| median s | longest s |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.group} | {row.wanted} | {row.found} | {row.healthy} | {row.alarms} "
        f"| {row.questions} | {row.median:.1f} | {row.longest:.1f} |"
        for row in totals(judged)
    ]
    return "\n".join(lines) + "\n"
