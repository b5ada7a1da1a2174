"""How to get to a server: what every connection to it has in common."""

from collections.abc import Mapping
from dataclasses import dataclass

from validator.client.address import Address
from validator.client.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Address, bounds, headers and proxy. Headers may hold secrets: never shown."""

    address: Address
    limits: Limits
    headers: Mapping[str, str]
    proxy: str | None = None
    """The proxy the user named; without one that of the environment is taken."""

    def __repr__(self) -> str:
        return f"Way({self.address.http})"
