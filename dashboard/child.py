"""The child process of `serve`: Streamlit, with the tracking store opened while it starts.

It ends with the process that started it, however that one ends.
"""

import os
import signal
import threading
import time

WATCH_SECONDS = 1.0


def main() -> None:
    """Serve until told to stop; the arguments are Streamlit's."""
    for work in (_warm_up, _watch_parent):
        threading.Thread(target=work, daemon=True).start()
    from streamlit.web.cli import main as streamlit

    streamlit()


def _warm_up() -> None:
    """Read the store once, so that the first page need not wait for MLflow to be loaded."""
    from dashboard.data import tracking_uri
    from reports.tracking.read import runs
    from reports.tracking.store import StoreError

    try:
        runs(tracking_uri())
    except StoreError:  # the page says so
        return


def _watch_parent() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
