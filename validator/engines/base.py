"""A validation as data, what can become of it, and what runs many of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from reports.model import Report
from validator.client.address import read_address
from validator.errors import EnvassayError
from validator.events import Listener
from validator.installed import Installed
from validator.rollouts.engine import run_plan
from validator.rollouts.player import Player
from validator.run import validate
from validator.settings import Settings
from validator.targets.url import UrlTarget
from validator.tiers import Tiers

THIS_MACHINE = "this machine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One target and all that a run of it needs, none of it bound to this process."""

    url: str
    settings: Settings
    tiers: Tiers
    replies: Path
    """File of the language models' kept replies."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    proxy: str | None = None

    @property
    def host(self) -> str:
        """Return what targets share where one must not slow another down."""
        address = read_address(self.url)
        return THIS_MACHINE if address.is_loopback else address.host

    async def run(self, listeners: Iterable[Listener] = (), *, player: Player = run_plan) -> Report:
        """Take the target down the whole road; `player` plays its episodes.

        Raises:
            TargetError: nothing usable at the address.
            SettingsError: the folder holds another run.
        """
        settings = self.settings
        installed = Installed.choose(
            settings.probes, settings.policy.severities, self.tiers.probes(self.replies)
        )
        target = UrlTarget(self.url, headers=self.headers, proxy=self.proxy)
        return await validate(target, settings, installed, listeners, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A target has its report."""

    job: Job
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A target has none, and why; the others go on."""

    job: Job
    fault: EnvassayError


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A target was not finished when all was stopped; what was played of it is kept."""

    job: Job


Outcome: TypeAlias = Finished | Broken | Left


class Engine(Protocol):
    """Runs many validations; which one ends first changes no result."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Outcome]:
        """Yield what became of each job, as it ends."""
        ...

    def stop(self) -> None:
        """End what is running in order and start no more; safe to call from a signal handler."""
        ...
