"""The one registry and its entry-point groups: targets, probes, checks, writers."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from validator.errors import SettingsError

GROUPS = {
    "target": "envassay.targets",
    "probe": "envassay.probes",
    "check": "envassay.checks",
    "writer": "envassay.writers",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A named factory and the distribution it came from. It is loaded when it is made."""

    kind: str
    name: str
    source: str
    point: EntryPoint

    def make(self) -> Any:
        """Load and call the factory.

        Raises:
            SettingsError: it does not load, or fails when called.
        """
        try:
            return self.point.load()()
        except Exception as fault:
            raise SettingsError(
                f"{self.kind} {self.name!r} does not load ({type(fault).__name__}: {fault})",
                where=f"{self.source} ({self.point.value})",
                do="Update or uninstall that package.",
            ) from fault


class Registry:
    """Everything of one kind that is installed, built-ins through the same door."""

    def __init__(self, kind: str, points: Iterable[EntryPoint] | None = None) -> None:
        self.kind = kind
        self._plugins: dict[str, Plugin] = {}
        for point in entry_points(group=GROUPS[kind]) if points is None else points:
            self._add(point)

    def names(self) -> list[str]:
        return sorted(self._plugins)

    def get(self, name: str) -> Plugin:
        """Return the plug-in of that name.

        Raises:
            SettingsError: there is none.
        """
        if name not in self._plugins:
            near = get_close_matches(name, self._plugins, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise SettingsError(
                f"no {self.kind} named {name!r}",
                where=f"--{self.kind}s",
                do=f"Known: {', '.join(self.names()) or 'none'}.{hint}",
            )
        return self._plugins[name]

    def _add(self, point: EntryPoint) -> None:
        source = point.dist.name if point.dist else "unknown"
        new = Plugin(kind=self.kind, name=point.name, source=source, point=point)
        old = self._plugins.get(point.name)
        if old is not None and old.point.value != point.value:
            raise SettingsError(
                f"{self.kind} {point.name!r} comes from both {old.source} and {source}",
                where="installed packages",
                do="Uninstall one of the two.",
            )
        self._plugins[point.name] = new
