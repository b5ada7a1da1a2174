"""`envassay dashboard`: starts the dashboard in a process of its own."""

import argparse
import importlib.util
import os
import subprocess
import sys

from validator.cli.flags import add_home, add_tracking, tracking_of, whole
from validator.errors import SettingsError


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=whole(least=1), default=8501, help="default: 8501")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    add_tracking(parser)
    add_home(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until it is stopped."""
    if importlib.util.find_spec("streamlit") is None:
        raise SettingsError(
            "streamlit is not installed",
            where="dashboard",
            do="Install it with: pip install 'envassay[dashboard]'",
        )
    command = [sys.executable, "-P", "-m", "dashboard.serve"]
    command += ["--host", args.host, "--port", str(args.port)]
    if args.no_browser:
        command.append("--no-browser")
    place = {"ENVASSAY_TRACKING_URI": tracking_of(args)}  # may hold a secret: not on the command
    with subprocess.Popen(command, env=os.environ | place) as child:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:  # the child has the signal too, and ends by itself
                continue
