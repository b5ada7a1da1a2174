"""Episodes of an earlier run in the next one, on a real server."""

import json
from pathlib import Path

import pytest

from reports.model import load
from tests.conftest import Served
from validator.cli.main import main

pytestmark = pytest.mark.servers

FEW = ["--probes", "noop,constant,random", "--no-track"]


def test_a_second_run_takes_what_says_nothing_about_now(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = ["--home", str(tmp_path)]
    words = ["validate", served("toy"), "--budget", "quick", *FEW, *home]
    first, second, third = (tmp_path / f"{number}.json" for number in (1, 2, 3))
    main([*words, "-q", "--json", str(first)])
    main([*words, "--reuse", "--json", str(second)])
    out, err = capsys.readouterr()
    report = load(second.read_text())
    assert report.reuse is not None
    (folder,) = report.reuse.origins
    assert (tmp_path / "runs" / folder / "report.json").read_text() == first.read_text()
    assert "episodes are taken from an earlier run" in err
    assert f"of an earlier run ({report.ledger.reused} of {folder})" in " ".join(out.split())
    assert report.ledger.started == report.costs.episodes + report.ledger.reused

    assert main(["gate", str(second), "--baseline", str(first)]) == 3
    assert "cannot tell what has changed since" in capsys.readouterr().err
    assert main(["gate", str(second)]) in (0, 1)
    assert f"reused {report.ledger.reused} of {report.ledger.started}" in capsys.readouterr().out

    (tmp_path / "runs" / folder / "report.json").unlink()
    main([*words, "-q", "--reuse", "--seed", "5", "--json", str(third)])
    found = load(third.read_text()).reuse
    assert found is not None
    assert (found.run, found.taken) == ("", 0)


def test_a_run_that_has_none_of_these_episodes_is_refused_by_name(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = served("toy")
    words = ["validate", url, "--budget", "12", *FEW, "-q", "--home", str(tmp_path)]
    assert main(words) in (0, 1)
    (run,) = (tmp_path / "runs").iterdir()
    for more, said in (
        (["--reuse", str(run), "--seed", "3"], "was told another seed"),
        (["--reuse", str(tmp_path)], "holds no run"),
        (["--reuse", "--baseline", str(run)], "cannot be joined with --baseline"),
    ):
        assert main([*words, *more]) == 3
        assert said in capsys.readouterr().err
    (run / "report.json").write_text(
        json.dumps(json.loads((run / "report.json").read_text()) | {"tasks": []})
    )
    assert main([*words, "--reuse", str(run)]) == 3
    assert "was changed" in capsys.readouterr().err
    assert [folder.name for folder in (tmp_path / "runs").iterdir()] == [run.name]
    again = ["rank", url, "--engine", "ray", "--reuse", "--home", str(tmp_path)]
    assert main(again) == 3
    assert "workers elsewhere do not have" in capsys.readouterr().err
