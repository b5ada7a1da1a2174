"""`envassay replay` on a real server: every finding of a report comes again, or says what did."""

import json
from pathlib import Path

import pytest

from tests.conftest import Served
from validator.cli.main import main

pytestmark = pytest.mark.servers


def test_every_finding_of_a_report_can_be_played_again(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also from a copy of the report elsewhere, by the run that it names at home."""
    home, copy = tmp_path / "home", tmp_path / "copy.json"
    words = ["--home", str(home), "--no-track", "--quiet", "--json", str(copy)]
    main(["validate", served("one-slot"), "--budget", "quick", *words])
    report = json.loads(copy.read_text())
    found = [result["id"] for result in report["results"] if result["findings"]]
    assert "session.capacity" in found
    capsys.readouterr()
    for name in found:
        code = main(["replay", str(copy), name, "--home", str(home)])
        out, err = capsys.readouterr()
        assert code == 0, (name, out, err)
    code = main(["replay", str(copy), "session.capacity", "--home", str(home)])
    out, _ = capsys.readouterr()
    assert "asked once more: fail, 1 sessions at once, 8 wanted" in out

    code = main(["replay", str(copy), "session.capacity", "--home", str(tmp_path / "nowhere")])
    _, err = capsys.readouterr()
    assert code == 3
    assert f"runs/{report['run']}" in err
