"""The list of pages. Started by `dashboard.serve`, or by `streamlit run`."""

from importlib import import_module

import streamlit as st

from dashboard import links
from dashboard.style import put_on
from dashboard.views import notices

PAGES = {
    links.RANKING: "dashboard.views.ranking",
    links.ENVIRONMENT: "dashboard.views.environment",
    links.ROLLOUTS: "dashboard.views.rollouts",
    links.COMPARE: "dashboard.views.compare",
    links.RUN: "dashboard.views.run",
}
# Modules, loaded when they are first shown: the ranking needs no charts. (Streamlit would show
# a string that stands here on its own.)


def main() -> None:
    """Show the page that the address names."""
    name = st.query_params.get(links.PAGE, links.RANKING)
    title = f"{name.capitalize()} · envassay" if name in PAGES else "envassay"
    st.set_page_config(page_title=title, page_icon="⚖️", layout="wide")
    put_on()
    if name in PAGES:
        import_module(PAGES[name]).show()
    else:
        notices.no_page()


main()
