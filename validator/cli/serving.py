"""Serves a model file on this machine, with the engine of the extra `local-llm`."""

import os
import signal
import threading
from pathlib import Path
from types import FrameType

from validator.cli.console import note, say
from validator.errors import SettingsError

HOST = "127.0.0.1"


def serve_model(path: Path, *, name: str, port: int, threads: int, context: int) -> int:
    """Serve until a signal comes; the address is printed when calls are answered.

    Raises:
        SettingsError: the engine is not installed.
    """
    try:
        import xllamacpp
    except ImportError as fault:
        raise SettingsError(
            "the engine xllamacpp is not installed",
            where="models serve",
            do="pip install 'envassay[local-llm]', or serve the file with another program.",
        ) from fault
    stop = threading.Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    for which in (signal.SIGTERM, signal.SIGINT):
        signal.signal(which, end)
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.model_alias = {name}
    settings.n_ctx, settings.n_parallel = context, 1
    settings.hostnames, settings.port = [HOST], port
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    note(f"loading {path.name} on {threads} thread{'s' if threads > 1 else ''}")
    server = xllamacpp.Server(settings)
    say(f"{name}\t{server.listening_address}/v1\n")
    stop.wait()
    os._exit(0)  # the engine's own threads end with the process only
