"""Our checks as tests of pytest: `pytest --openenv-url URL`, one test a check.

    pytest --openenv-url http://localhost:8000 --openenv-policy hub

The environment is validated once, when the first test of it runs. A check that fails the policy
fails its test, an open question is a skipped test, and what the policy only warns of is a passed
test with a warning beside it. Tests of your own take the fixture `openenv_report`.

Nothing of ours is imported until the option is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from reports.lines import Line
    from reports.model import Report


class OpenenvWarning(UserWarning):
    """What the policy warns of, and does not fail."""


class OpenenvFailure(Exception):
    """A line of the policy that does not hold."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("openenv", "validation of a served environment")
    group.addoption("--openenv-url", metavar="URL", help="environment to validate, a test a check")
    group.addoption("--openenv-policy", metavar="NAME|FILE", default="author")
    group.addoption("--openenv-manifest", metavar="FILE")
    group.addoption("--openenv-budget", metavar="PRESET|N", default="quick")
    group.addoption("--openenv-home", metavar="DIR", default=".envassay")


def pytest_configure(config: pytest.Config) -> None:
    """Collect the environment's tests where an address is given.

    Raises:
        pytest.UsageError: an option names what cannot be used, in one line and before anything is
            collected.
    """
    if not config.getoption("--openenv-url"):
        return
    from reports.safe import plain
    from validator.errors import EnvassayError

    try:
        _settings(config)
    except EnvassayError as fault:
        raise pytest.UsageError(plain(fault, 2000)) from None
    config.pluginmanager.register(_Collected(), "openenv-checks")


@pytest.fixture(scope="session")
def openenv_report(request: pytest.FixtureRequest) -> Report:
    """Return the report of the environment at `--openenv-url`, validated once."""
    if not request.config.getoption("--openenv-url"):
        pytest.skip("no --openenv-url is given")
    return _report(request.config)


class _Collected:
    """Adds the environment's tests beside those that are found in files."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> Iterator[None]:
        checks: Any = Checks.from_parent(session, name="openenv", nodeid="openenv")
        items.extend(checks.collect())
        return (yield)


class Checks(pytest.Collector):
    """The questions of the policy, in its order."""

    def collect(self) -> Iterator[pytest.Item]:
        from validator.policy.model import read_policy

        policy = read_policy(self.config.getoption("--openenv-policy"))
        names = [*policy.severities, *(f"threshold {one.words}" for one in policy.thresholds)]
        names += [f"declaration {path}" for path in policy.declarations.required]
        for name in names:
            yield CheckItem.from_parent(self, name=name)


class CheckItem(pytest.Item):
    """One line of the policy as one test."""

    def runtest(self) -> None:
        from reports.lines import effect, lines_of, name_of

        report = _report(self.config)
        line = next(line for line in lines_of(report) if name_of(line) == self.name)
        found = effect(line, report.verdict)
        if found == "fails":
            raise OpenenvFailure(_told(line))
        if line.status == "skip":
            pytest.skip(line.reason)
        if found == "warns":
            self.warn(OpenenvWarning(_told(line)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what was found without a traceback: the fault is the environment's."""
        if excinfo.errisinstance(OpenenvFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.config.rootpath, 0, f"openenv: {self.name}"


def _told(line: Line) -> str:
    from reports.lines import name_of, to_do
    from reports.model import CheckResult
    from reports.safe import plain

    said = [f"{name_of(line)}: {plain(line.reason)}"]
    if isinstance(line, CheckResult):
        said += [
            f"  {name:<10} {plain(text)}"
            for finding in line.findings[:1]
            for name, text in finding.model_dump().items()
        ]
    elif to_do(line):
        said.append(f"  {plain(to_do(line))}")
    return "\n".join(said)


REPORT = pytest.StashKey[Any]()


def _report(config: pytest.Config) -> Report:
    """Return the report, made when it is first asked for; what stopped it stops each test.

    A signal that ends the validation ends pytest.
    """
    from validator.errors import Interrupted

    if REPORT not in config.stash:
        try:
            config.stash[REPORT] = _validated(config)
        except Interrupted as fault:
            pytest.exit(f"the validation was {fault.what}", returncode=fault.exit_code)
        except Exception as fault:
            config.stash[REPORT] = fault
    found = config.stash[REPORT]
    if isinstance(found, Exception):
        raise OpenenvFailure(f"the environment could not be validated: {found}") from found
    report: Report = found
    return report


def _validated(config: pytest.Config) -> Report:
    from validator.cli.flags import manifest_of
    from validator.cli.road import validate_and_file

    declared = manifest_of(_manifest(config))
    url = config.getoption("--openenv-url")
    return validate_and_file(_args(config), url, declared=declared, track=False).report


def _settings(config: pytest.Config) -> None:
    """Read what the options name.

    Raises:
        EnvassayError: one cannot be used.
    """
    from validator.cli.flags import manifest_of, settings_of
    from validator.cli.policy import read_usable
    from validator.client.address import read_address

    read_address(config.getoption("--openenv-url"))
    read_usable(config.getoption("--openenv-policy"))
    settings_of(_args(config), Path(), manifest_of(_manifest(config)))


def _manifest(config: pytest.Config) -> Path | None:
    given = config.getoption("--openenv-manifest")
    return Path(given) if given else None


def _args(config: pytest.Config) -> Any:
    """Return the flags of a validation."""
    import argparse

    from validator.cli.flags import add_comparison, add_home, add_run

    parser = argparse.ArgumentParser()
    add_run(parser)
    add_comparison(parser)
    add_home(parser)
    names = ("policy", "budget", "home")
    return parser.parse_args(
        [f"--{name}={config.getoption(f'--openenv-{name}')}" for name in names]
    )
