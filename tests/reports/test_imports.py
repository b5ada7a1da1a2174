"""Reading or writing a report costs neither MLflow nor any other room."""

import subprocess
import sys

import pytest

ROOMS = {"validator", "probes", "metrics", "dashboard"}
HEAVY = {"mlflow", "pandas", "numpy", "streamlit", "altair", "sqlalchemy"}


@pytest.mark.parametrize(
    "modules",
    [
        "reports.model, reports.advice, reports.standing, reports.words",
        "reports.writers.json, reports.writers.markdown, reports.writers.terminal",
        "reports.writers.ranking",
        "reports.tracking.log, reports.tracking.read",
    ],
)
def test_light_until_used(modules: str) -> None:
    code = f"import sys, {modules}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & (ROOMS | HEAVY)
