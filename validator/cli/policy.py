"""`envassay policy`: the written rules, and whether one of your own can be used."""

import argparse
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from validator.cli.console import say

if TYPE_CHECKING:
    from validator.policy.model import Policy

SOON = 30
"""Days before its end from which on it is said how many a waiver has left."""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    what = parser.add_subparsers(metavar="list|show|check", required=True)
    listed = what.add_parser("list", help="the policies that come with the package")
    listed.set_defaults(run=_list)
    shown = what.add_parser("show", help="a policy as it holds, what it extends filled in")
    shown.add_argument("policy", metavar="NAME|FILE")
    shown.set_defaults(run=_show)
    checked = what.add_parser("check", help="say whether a policy can be used; exit 3 where not")
    checked.add_argument("policies", metavar="FILE", nargs="+")
    checked.add_argument(
        "--on",
        metavar="DATE",
        type=_day,
        help="day on which its waivers must hold (default: today, UTC)",
    )
    checked.set_defaults(run=_check)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{text!r} is no day such as 2030-05-31") from fault


def _list(_args: argparse.Namespace) -> int:
    from validator.policy.model import read_policy, shipped_policies

    for name in shipped_policies():
        policy = read_policy(name)
        say(f"{name:<10}  {policy.version:>2}  {policy.title}\n")
    return 0


def _show(args: argparse.Namespace) -> int:
    import json

    from validator.policy.model import read_policy

    policy = read_policy(args.policy)
    say(json.dumps(policy.model_dump(mode="json"), indent=2) + "\n")
    return 0


def _check(args: argparse.Namespace) -> int:
    """Say what policies hold; 3 where one contradicts itself, or a waiver has expired."""
    from validator.cli.console import complain
    from validator.errors import SettingsError

    code = 0
    for name in args.policies:
        try:
            _tell(name, args.on or datetime.now(UTC).date())
        except SettingsError as fault:
            complain(str(fault))
            code = fault.exit_code
    return code


def read_usable(source: str, today: date | None = None) -> "Policy":
    """Return a policy that can decide: a shipped one by name, or one from a file.

    Raises:
        SettingsError: it is none, contradicts itself, or asks a check that is not installed.
    """
    from validator.errors import SettingsError
    from validator.plugins import Registry
    from validator.policy.model import read_policy

    policy = read_policy(source, today=today)
    installed = Registry("check")
    try:
        for name in policy.severities:
            installed.get(name)
    except SettingsError as fault:
        raise SettingsError(
            f"severities: {fault.what}", where=source, do=f"{fault.do} Or list it as external."
        ) from fault
    return policy


def _tell(source: str, today: date) -> None:
    from reports.numbers import count
    from reports.safe import terminal

    policy = read_usable(source, today)
    parts = [
        count(len(policy.severities), "checks"),
        f"{len(policy.external)} of another validator",
        count(len(policy.thresholds), "thresholds"),
        count(len(policy.declarations.required), "declarations"),
        count(len(policy.waivers), "waivers"),
    ]
    say(f"{terminal(policy.name)} {terminal(policy.version)}: {', '.join(parts)}\n")
    for waiver in policy.waivers:
        left = (waiver.expires - today).days
        soon = f" ({count(left, 'days')} left)" if left <= SOON else ""
        until = f"{waiver.expires}{soon}"
        line = f"  waives {waiver.check} until {until}, {waiver.owner}: {waiver.reason}"
        say(f"{terminal(line)}\n")
