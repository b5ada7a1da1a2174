"""The list of pages. Started by `dashboard.serve`, or by `streamlit run`."""

import streamlit as st

from dashboard import links
from dashboard.style import put_on
from dashboard.views import compare, environment, notices, ranking, rollouts, run

PAGES = {
    links.RANKING: ranking.show,
    links.ENVIRONMENT: environment.show,
    links.ROLLOUTS: rollouts.show,
    links.COMPARE: compare.show,
    links.RUN: run.show,
}


def main() -> None:
    """Show the page that the address names."""
    name = st.query_params.get(links.PAGE, links.RANKING)
    title = f"{name.capitalize()} · envassay" if name in PAGES else "envassay"
    st.set_page_config(page_title=title, page_icon="⚖️", layout="wide")
    put_on()
    PAGES.get(name, notices.no_page)()


main()
