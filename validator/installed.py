"""What is installed and chosen for a run: probes and checks, and where each came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from probes.base import Probe
from probes.slow import SlowProbe
from validator.checks.base import Check
from validator.errors import SettingsError
from validator.plugins import Registry
from validator.rollouts.needs import Need


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The plug-ins of one run, made."""

    probes: Mapping[str, Probe]
    sources: Mapping[str, str]
    """Distribution that each probe came from."""
    checks: tuple[Check, ...]

    @property
    def slow(self) -> dict[str, SlowProbe]:
        """Return the probes that play what they say themselves."""
        return {name: one for name, one in self.probes.items() if isinstance(one, SlowProbe)}

    @property
    def slow_needs(self) -> list[Need]:
        """Return the episodes that the slow probes play."""
        return [
            Need(rung=self.probes[name].rung, probes=(name,), starts=starts, repeats=repeats)
            for name, one in self.slow.items()
            for starts, repeats in [one.most]
        ]

    async def close(self) -> None:
        """Let go of what the probes hold."""
        for one in self.slow.values():
            await one.close()

    @classmethod
    def choose(
        cls, probes: Iterable[str], checks: Iterable[str], tiers: Iterable[Probe] = ()
    ) -> Self:
        """Make the named probes, and those of the named checks that are installed.

        `tiers` are probes that the user described: language models and harnesses.

        Raises:
            SettingsError: a probe or check is not installed, or does not load.
        """
        known_probes, known_checks = Registry("probe"), Registry("check")
        chosen = {name: known_probes.get(name) for name in dict.fromkeys(probes)}
        described = {probe.name: probe for probe in tiers}
        if not chosen:
            raise SettingsError(
                "no probe is named",
                where="--probes",
                do=f"Name some of: {', '.join(known_probes.names())}.",
            )
        return cls(
            probes={name: plugin.make() for name, plugin in chosen.items()} | described,
            sources={name: plugin.source for name, plugin in chosen.items()}
            | dict.fromkeys(described, "the user"),
            checks=tuple(known_checks.get(name).make() for name in checks),
        )
