"""`pytest --openenv-url`: a test a check, failed, skipped, warned of or passed as the gate says."""

import sys
from pathlib import Path

import pytest

from reports.lines import effect, lines_of
from reports.model import Report
from tests.reports.builders import everything
from validator.errors import Interrupted
from validator.interop import pytest_plugin
from validator.policy.judge import judge
from validator.policy.model import read_policy

pytest_plugins = ["pytester"]


@pytest.fixture
def report() -> Report:
    return judge(everything()[0], read_policy("author"))


@pytest.fixture
def outcome(
    pytester: pytest.Pytester, report: Report, monkeypatch: pytest.MonkeyPatch
) -> pytest.RunResult:
    """Run pytest in this process, the environment's report given."""
    monkeypatch.setattr(pytest_plugin, "_validated", lambda _config: report)
    pytester.makepyfile(
        """
        def test_of_their_own(openenv_report):
            assert openenv_report.target.name == "quiz"
        """
    )
    return pytester.runpytest_inprocess(
        "--openenv-url", "http://127.0.0.1:9", "-q", "-W", "default"
    )


def test_each_line_of_the_policy_is_a_test(outcome: pytest.RunResult, report: Report) -> None:
    effects = [effect(line, report.verdict) for line in lines_of(report)]
    skips = sum(line.status == "skip" for line in lines_of(report))
    outcome.assert_outcomes(
        passed=len(effects) - effects.count("fails") - skips + 1,
        failed=effects.count("fails"),
        skipped=skips,
        warnings=effects.count("warns"),
    )


def test_a_failure_tells_the_finding_and_no_traceback(outcome: pytest.RunResult) -> None:
    text = outcome.stdout.str()
    assert "semantic.floor_gap: doing nothing earns 0.94" in text
    assert "do         Pay nothing for an empty answer." in text
    assert "Traceback" not in text


def test_without_an_address_nothing_is_collected(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_one(): pass")
    pytester.runpytest_inprocess("-q").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--openenv-policy", "nope"], "no policy or file named 'nope'"),
        (["--openenv-manifest", "nope.yaml"], "nope.yaml: cannot be read"),
        (["--openenv-budget", "--nope"], "nope"),
        (["--openenv-url", "ftp://x"], "ftp"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_line_before_anything_runs(
    pytester: pytest.Pytester, words: list[str], said: str
) -> None:
    pytester.makepyfile("def test_one(): pass")
    given = [f"{words[0]}={words[1]}"]
    outcome = pytester.runpytest_inprocess("--openenv-url", "http://127.0.0.1:9", *given)
    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    told = [line for line in outcome.stderr.lines if line.startswith("ERROR: ")]
    assert len(told) == 1
    assert said in told[0]
    assert "INTERNALERROR" not in outcome.stderr.str() + outcome.stdout.str()


def test_an_address_where_nothing_answers_fails_each_test_in_one_line(
    pytester: pytest.Pytester,
) -> None:
    policy = pytester.path / "p.toml"
    policy.write_text('name="p"\nversion="1"\n[severities]\n"runtime.startup" = "fail"\n')
    found = pytester.runpytest_inprocess(
        "--openenv-url", "http://127.0.0.1:9", "--openenv-policy", str(policy), "-q"
    )
    found.assert_outcomes(failed=1)
    assert "could not be validated" in found.stdout.str()


def test_it_is_registered_and_light(pytester: pytest.Pytester) -> None:
    code = (
        "import sys, validator.interop.pytest_plugin\n"
        "print(sorted({'numpy', 'scipy', 'pydantic', 'mlflow'} & set(sys.modules)))"
    )
    found = pytester.run(sys.executable, "-c", code)
    assert found.stdout.str().strip() == "[]"
    assert "--openenv-url" in pytester.runpytest_inprocess("--help").stdout.str()
    assert Path(pytest_plugin.__file__).name == "pytest_plugin.py"


def test_a_signal_that_ends_the_validation_ends_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_config: object) -> None:
        raise Interrupted("stopped by SIGINT; 3 finished episodes are kept", where="w", do="d")

    class Config:
        stash = pytest.Stash()

    monkeypatch.setattr(pytest_plugin, "_validated", stopped)
    with pytest.raises(pytest.exit.Exception) as ended:
        pytest_plugin._report(Config())  # type: ignore[arg-type]
    assert ended.value.returncode == 130
    assert ended.value.msg == "the validation was stopped by SIGINT; 3 finished episodes are kept"
