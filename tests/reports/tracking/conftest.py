"""Real MLflow stores in temporary folders."""

import shutil
from pathlib import Path

import pytest

from reports.tracking.read import runs
from reports.tracking.store import client, file_store, local_file


@pytest.fixture(scope="session")
def new_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a database with MLflow's tables and nothing in them; making them takes seconds."""
    uri = file_store(tmp_path_factory.mktemp("new"))
    with client(uri) as mlflow:
        mlflow.search_experiments()
    database = local_file(uri)
    assert database is not None
    return database


@pytest.fixture
def store(new_database: Path, tmp_path: Path) -> str:
    """Give the address of an empty store of this test's own."""
    shutil.copy(new_database, tmp_path / "mlflow.db")
    uri = file_store(tmp_path)
    assert runs(uri) == []
    return uri
