"""Flags that several commands share, and how they fill the settings of a run."""

import argparse
import os
from collections.abc import Callable
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from validator.cli.places import DEFAULT_HOME, Home
from validator.errors import SettingsError

if TYPE_CHECKING:
    from validator.client.limits import Limits
    from validator.manifest import Manifest
    from validator.settings import Settings
    from validator.tiers import Tiers

DEFAULT_PROBES = ",".join(
    (
        "noop", "empty", "constant", "repeat", "minimal", "random", "sticky", "words", "reactive",
        "degenerate", "oversize", "schema_edge", "injection", "format_only", "echo", "shotgun",
        "reward_search", "premature_end", "leak_reader", "tamper",
    )
)  # fmt: skip
"""Every built-in probe that needs no model. The first of a rung is its standard bearer."""
MOST_HEADER_BYTES = 2**16
LONGEST_HORIZON = 10_000


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add where things are kept."""
    parser.add_argument(
        "--home",
        metavar="DIR",
        type=Path,
        default=Path(os.environ.get("ENVASSAY_HOME") or DEFAULT_HOME),
        help="folder for runs and the tracking store (default: .envassay, or $ENVASSAY_HOME)",
    )


def add_tracking(parser: argparse.ArgumentParser) -> None:
    """Add where results are logged to, or read from."""
    parser.add_argument(
        "--tracking-uri",
        metavar="URI",
        help="MLflow store (default: $MLFLOW_TRACKING_URI, else a SQLite file in the home folder)",
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add what a run may be told."""
    run = parser.add_argument_group("the run")
    run.add_argument(
        "--policy", metavar="NAME|FILE", default="author", help="severities and verdict"
    )
    run.add_argument(
        "--probes",
        metavar="LIST",
        default=DEFAULT_PROBES,
        help="default: every built-in one that needs no model; `default` stands for these",
    )
    run.add_argument(
        "--budget",
        metavar="PRESET|N",
        default="standard",
        help="quick, standard (default), deep, or a number of episodes",
    )
    run.add_argument(
        "--fixed",
        action="store_true",
        help="play all that the budget's scale asks for, instead of stopping where all is decided",
    )
    run.add_argument(
        "--group-size",
        metavar="G",
        type=whole(least=2),
        default=8,
        help="rollouts per group of the training run the verdict is for (default: 8)",
    )
    add_tiers(run)
    run.add_argument("--seed", metavar="N", type=whole(least=0), default=0, help="default: 0")
    run.add_argument(
        "--sessions", metavar="N", type=whole(least=1), default=8, help="most at once (default: 8)"
    )
    run.add_argument(
        "--max-steps",
        metavar="N",
        type=whole(least=1),
        help="end an episode after that many (default: the declared horizon, else 200, "
        "and at --budget quick 16 where none seems to end)",
    )
    run.add_argument(
        "--allow-intrusive",
        action="store_true",
        help="also carry out exercises that may leave traces on the server",
    )
    add_wire(parser)
    parser.set_defaults(baseline=None, twin=None, reuse=None)


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """Add what a run is compared with."""
    other = parser.add_argument_group("what it is compared with")
    other.add_argument(
        "--baseline",
        metavar="REPORT",
        type=Path,
        help="report.json of an earlier run on the target, or its folder, which kept its episodes",
    )
    other.add_argument(
        "--twin",
        metavar="URL",
        help="a second server of the same environment; reached with the same headers and proxy",
    )


def add_reuse(parser: argparse.ArgumentParser) -> None:
    """Add where episodes may be taken from instead of being played."""
    parser.add_argument(
        "--reuse",
        metavar="RUN",
        nargs="?",
        const="",
        help="take from a finished run what says nothing about now, if a sample of it comes out "
        "the same again: from the newest one of this target, or from a folder",
    )


def add_resume(out: "argparse._ArgumentGroup") -> None:
    """Add which run is gone on with."""
    out.add_argument(
        "--resume",
        metavar="RUN",
        nargs="?",
        const="",
        help="go on with a run that was ended early: the newest of this target, or a folder",
    )


def add_tiers(run: "argparse._ArgumentGroup") -> None:
    """Add probes that the user describes: language models and harnesses."""
    run.add_argument(
        "--model",
        metavar="NAME=URL[#MODEL]",
        action="append",
        default=[],
        help="a language model behind an OpenAI-compatible endpoint as a probe; repeatable",
    )
    run.add_argument(
        "--harness",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="a command as a probe: it reads what an agent sees, and writes actions; repeatable",
    )
    run.add_argument(
        "--models", metavar="FILE", type=Path, help="both in YAML, with prices and budgets"
    )


def tiers_of(args: argparse.Namespace) -> "Tiers":
    """Return the language models and harnesses that the flags describe.

    Raises:
        SettingsError: one is malformed.
    """
    from validator.tiers import read_tiers

    named = read_tiers(args.models, args.model, args.harness)
    return replace(named, harnesses={**named.harnesses, **getattr(args, "played", {})})


def add_wire(parser: argparse.ArgumentParser) -> None:
    """Add how the server is reached."""
    wire = parser.add_argument_group("the connection")
    wire.add_argument(
        "--header",
        metavar="'NAME: VALUE'",
        action="append",
        default=[],
        help="sent with every request, or @FILE with one a line; a token goes here",
    )
    wire.add_argument("--proxy", metavar="URL", help="default: that of the environment variables")
    wire.add_argument(
        "--limit",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="such as step_seconds=120 or frame_bytes=200000000; ping_seconds=none sends no pings",
    )


def whole(*, least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `least` on."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= 2**53:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
        return int(text)

    return read


def home_of(args: argparse.Namespace) -> Home:
    """Return the home folder that the flags name."""
    return Home(args.home)


def tracking_of(args: argparse.Namespace) -> str:
    """Return the address of the tracking store that the flags name."""
    return args.tracking_uri or os.environ.get("MLFLOW_TRACKING_URI") or home_of(args).tracking_uri


def settings_of(args: argparse.Namespace, folder: Path, manifest: "Manifest") -> "Settings":
    """Return the settings of one run.

    Raises:
        SettingsError: a flag names something that is not there or malformed.
    """
    from validator.cli.reading import read_baseline
    from validator.policy.model import read_policy
    from validator.rollouts.budget import read_budget
    from validator.settings import DEFAULT_MAX_STEPS, Settings
    from validator.targets.url import UrlTarget

    horizon = manifest.envassay.horizon
    most = min(horizon + 1, LONGEST_HORIZON) if isinstance(horizon, int) else DEFAULT_MAX_STEPS
    budget = read_budget(args.budget)
    block = manifest.envassay
    open_end = not (args.max_steps or isinstance(horizon, int) or block.oracle or block.canaries)
    return Settings(
        budget=budget,
        policy=read_policy(args.policy),
        manifest=manifest,
        folder=folder,
        group_size=args.group_size,
        fixed=args.fixed,
        seed=args.seed,
        probes=_probes(args.probes),
        tiers=tiers_of(args).told,
        sessions=args.sessions,
        max_steps=args.max_steps or most,
        unending_steps=budget.unending_steps if open_end else None,
        allow_intrusive=args.allow_intrusive,
        limits=limits_of(args.limit),
        baseline=read_baseline(args.baseline) if args.baseline else None,
        twin=UrlTarget(args.twin, headers=headers_of(args.header), proxy=args.proxy)
        if args.twin
        else None,
    )


def reusing(args: argparse.Namespace, address: str, settings: "Settings") -> "Settings":
    """Return the settings with the runs that episodes may be taken from, where that is asked for.

    Raises:
        SettingsError: what is asked for cannot be, or the folder that is named holds no such run.
    """
    from validator.cli.reading import read_earlier

    if args.reuse is None:
        return settings
    if args.baseline is not None:
        raise SettingsError(
            "cannot be joined with --baseline: what is taken from an earlier run cannot differ "
            "from it",
            where="--reuse",
            do="Leave one of both out.",
        )
    folders = [Path(args.reuse)] if args.reuse else home_of(args).finished(address)
    return replace(settings, reuse=read_earlier(folders, settings, named=bool(args.reuse)))


def manifest_of(path: Path | None) -> "Manifest":
    """Return the declarations in a file, or none where there is no file.

    Raises:
        SettingsError: the file cannot be used.
    """
    from validator.manifest import Manifest, read_manifest

    return read_manifest(path) if path else Manifest()


def headers_of(given: list[str]) -> dict[str, str]:
    """Return the headers of `--header`, whose values are never shown.

    Raises:
        SettingsError: one has no colon, or its file cannot be read.
    """
    found: dict[str, str] = {}
    for text in given:
        for line in _header_lines(text):
            name, colon, value = line.partition(":")
            if not colon or not name.strip():
                raise SettingsError(
                    "is no header", where="--header", do="Write it as 'Name: value', or as @FILE."
                )
            found[name.strip()] = value.strip()
    return found


def _header_lines(text: str) -> list[str]:
    if not text.startswith("@"):
        return [text]
    path = Path(text[1:])
    try:
        with path.open(encoding="utf-8") as file:
            lines = file.read(MOST_HEADER_BYTES).splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(
            f"{path} cannot be read ({type(fault).__name__})",
            where="--header",
            do="Check the file.",
        ) from fault
    return [line for line in lines if line.strip()]


def _probes(given: str) -> tuple[str, ...]:
    """Return the names of `--probes`, each once; `default` stands for the default ones."""
    names = (name.strip() for name in given.split(","))
    spelled = ",".join(DEFAULT_PROBES if name == "default" else name for name in names if name)
    return tuple(dict.fromkeys(spelled.split(","))) if spelled else ()


def limits_of(given: list[str]) -> "Limits":
    """Return the limits with those of `--limit` in place.

    Raises:
        SettingsError: one is unknown or no positive number.
    """
    from validator.client.limits import Limits

    limits = Limits()
    kinds = {field.name: getattr(limits, field.name) for field in fields(limits)}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        if name not in kinds:
            near = get_close_matches(name, kinds, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise SettingsError(
                f"no limit named {name!r}", where="--limit", do=f"Known: {', '.join(kinds)}.{hint}"
            )
        change: dict[str, Any] = {name: _limit(name, value, kinds[name])}
        limits = replace(limits, **change)
    return limits


def _limit(name: str, value: str, now: float | int | None) -> float | int | None:
    if name == "ping_seconds" and value == "none":
        return None
    try:
        number = int(value) if isinstance(now, int) else float(value)
    except ValueError:
        number = -1
    least = 0 if name == "connect_retries" else 1e-3
    if not least <= number <= 1e12:
        raise SettingsError(
            f"{name} cannot be {value!r}", where="--limit", do="Give a positive number."
        )
    return number
