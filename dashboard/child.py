"""The child process of `serve`: Streamlit, with the tracking store opened while it starts."""

import threading
from importlib import import_module

from dashboard.serve import end_with_parent, tracking_uri


def main() -> None:
    """Serve until told to stop; the arguments are Streamlit's."""
    end_with_parent()
    threading.Thread(target=_warm_up, daemon=True).start()
    from streamlit.web.cli import main as streamlit

    import_module("dashboard.views.ranking")  # the page that is asked for first
    streamlit()


def _warm_up() -> None:
    """Open the index and bring it up to date, so that the first page need not wait.

    Nothing here may import Streamlit: loaded by two threads at once, it ends the process.
    """
    from reports.tracking.catchup import shared

    shared(tracking_uri()).ranking()


if __name__ == "__main__":
    main()
