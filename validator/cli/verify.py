"""`envassay verify`: whether a report is the one that was signed."""

import argparse
from pathlib import Path

from validator.cli.console import say


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("report", metavar="REPORT", type=Path, help="report.json that was signed")
    parser.add_argument(
        "--key",
        metavar="FILE",
        type=Path,
        required=True,
        help="Ed25519 public key, PEM, got from whoever you trust",
    )
    parser.add_argument(
        "--signature", metavar="FILE", type=Path, help="where it is (default: REPORT.sig)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say who signed it; 3 where it is not what was signed."""
    from reports.safe import terminal
    from validator.cli.reading import read_report
    from validator.cli.signatures import signature_of, verify

    key_id = verify(args.report, args.key, args.signature or signature_of(args.report))
    report = read_report(args.report)
    line = f"{report.target.name} {report.target.url}: {report.verdict.status}"
    say(f"signed by {key_id}: {terminal(line)}\n")
    return 0
