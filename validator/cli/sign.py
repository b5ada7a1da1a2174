"""`envassay sign`: vouches for a report with an Ed25519 key."""

import argparse
from pathlib import Path

from validator.cli.console import say


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("report", metavar="REPORT", type=Path, help="report.json to be signed")
    parser.add_argument(
        "--key", metavar="FILE", type=Path, required=True, help="Ed25519 private key, PEM"
    )
    parser.add_argument(
        "--new-key",
        action="store_true",
        help="make the key first, and its public half beside it, .pub",
    )
    parser.add_argument(
        "--signature", metavar="FILE", type=Path, help="where to (default: REPORT.sig)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Sign, and say by which key."""
    from validator.cli.reading import read_report
    from validator.cli.signatures import new_key, sign, signature_of

    read_report(args.report)
    if args.new_key:
        new_key(args.key)
    place = args.signature or signature_of(args.report)
    key_id = sign(args.report, args.key, place)
    say(f"{place}: signed by {key_id}\n")
    return 0
