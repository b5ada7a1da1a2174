"""What is installed and chosen for a run: probes and checks, and where each came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from probes.base import Probe
from validator.checks.base import Check
from validator.errors import SettingsError
from validator.plugins import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The plug-ins of one run, made."""

    probes: Mapping[str, Probe]
    sources: Mapping[str, str]
    """Distribution that each probe came from."""
    checks: tuple[Check, ...]

    @classmethod
    def choose(cls, probes: Iterable[str], checks: Iterable[str]) -> Self:
        """Make the named probes, and those of the named checks that are installed.

        Raises:
            SettingsError: a probe or check is not installed, or does not load.
        """
        known_probes, known_checks = Registry("probe"), Registry("check")
        chosen = {name: known_probes.get(name) for name in dict.fromkeys(probes)}
        if not chosen:
            raise SettingsError(
                "no probe is named",
                where="--probes",
                do=f"Name some of: {', '.join(known_probes.names())}.",
            )
        return cls(
            probes={name: plugin.make() for name, plugin in chosen.items()},
            sources={name: plugin.source for name, plugin in chosen.items()},
            checks=tuple(known_checks.get(name).make() for name in checks),
        )
