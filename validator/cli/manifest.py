"""`envassay manifest`: whether the author's declarations can be read, without any server."""

import argparse
from pathlib import Path

from validator.cli.console import say


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    what = parser.add_subparsers(metavar="check", required=True)
    checked = what.add_parser("check", help="read manifests and the files they name; 3 if wrong")
    checked.add_argument("files", metavar="FILE", type=Path, nargs="+")
    checked.set_defaults(run=_check)


def _check(args: argparse.Namespace) -> int:
    """Say of each file what it declares; 3 where one cannot be used."""
    from reports.safe import terminal
    from validator.cli.console import complain
    from validator.declared import read_declared
    from validator.errors import SettingsError
    from validator.manifest import read_manifest

    code = 0
    for path in args.files:
        try:
            manifest = read_manifest(path)
            read_declared(manifest)
        except SettingsError as fault:
            complain(str(fault))
            code = fault.exit_code
            continue
        blocks = manifest.declared or {}
        fields = [
            f"{name}.{field}"
            for name, block in blocks.items()
            if isinstance(block, dict)
            for field in block
        ]
        said = ", ".join(fields) or "declares nothing"
        say(f"{terminal(path)}: {terminal(said, 1000)}\n")
    return code
