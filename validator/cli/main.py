"""The command: parses, calls one function, turns faults into one line and an exit code.

Exit codes are those of RFC 008's reference command: 0 pass or warn, 1 fail, 2 nothing usable at
the address, 3 a flag, file or fault of our own. Nothing heavy is imported before it is used.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from validator.cli.console import complain, say
from validator.errors import EnvassayError

COMMANDS = {
    "validate": "say whether an environment is worth training on, and why",
    "gate": "admit or reject by a policy, line by line, in CI",
    "rank": "rank environments, best first",
    "replay": "show one finding once more",
    "policy": "list, show and check policies",
    "manifest": "check the author's declarations",
    "export": "write a report in another format",
    "sign": "sign a report, so that others can trust it",
    "verify": "say whether a signed report is what was signed",
    "models": "language models that run on this machine, as probes",
    "dashboard": "see the results in a browser",
    "calibrate": "prove the checks on environments whose faults are known",
    "demo": "validate the example environments and rank them",
}


class _Parser(argparse.ArgumentParser):
    """Says what was wrong in one line, and ends with 3: 2 is the code of a bad target."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message}. `{self.prog} --help` shows the flags.")
        raise SystemExit(3)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command."""
    parser = _Parser(
        prog="envassay",
        description="Is this reinforcement-learning environment worth training on?",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[:1].upper()}{summary[1:]}.",
            allow_abbrev=False,
        )
        importlib.import_module(f"validator.cli.{name}").add(command)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = build_parser()
    args = parser.parse_args(argv)
    try:
        if args.version:
            return _version()
        if args.run is None:
            parser.print_help()
            return 3
        code: int = args.run(args)
        say("")
        return code
    except EnvassayError as fault:
        complain(str(fault))
        return fault.exit_code
    except KeyboardInterrupt:
        complain("stopped")
        return 130
    except BrokenPipeError:  # the reader of the output has gone: nobody is left to be told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as fault:
        return _own_fault(fault, args)


def _own_fault(fault: Exception, args: argparse.Namespace) -> int:
    import logging

    from validator.cli.log import log_to

    where = "no log was written"
    if home := getattr(args, "home", None):
        logger = logging.getLogger("validator")
        if not logger.handlers:
            home.mkdir(parents=True, exist_ok=True)
            log_to(home / "envassay.log")
        logger.exception("the command broke")
        where = f"the traceback is in {logger.handlers[0].baseFilename}"  # type: ignore[attr-defined]
    complain(f"a fault of our own ({type(fault).__name__}: {fault}): {where}. Please report it.")
    return 3


def _version() -> int:
    from importlib.metadata import version

    say(f"envassay {version('envassay')}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
