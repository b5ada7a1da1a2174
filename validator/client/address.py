"""Where a target is: one base address, and where it may lead."""

import ipaddress
import re
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, urljoin, urlsplit

from validator.errors import TargetError

_SECURE = {"http": False, "ws": False, "https": True, "wss": True}
_HOST = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9.])?")
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]*")
_ENDINGS = ("/ws", "/web")
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OURS = {"host", "connection", "upgrade", "content-length", "transfer-encoding", "accept-encoding"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The base address of a server. It holds nothing that must not be logged."""

    secure: bool
    host: str
    """Lower case; an IPv6 address without its brackets."""
    port: int
    path: str
    """Empty, or a prefix that starts with a slash and does not end in one."""

    @property
    def http(self) -> str:
        return self._under("https" if self.secure else "http")

    @property
    def websocket(self) -> str:
        return self._under("wss" if self.secure else "ws") + "/ws"

    @property
    def authority(self) -> str:
        """Return host and port, the port left out where the scheme implies it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Say whether the address is on this machine, without asking a name server."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def _under(self, scheme: str) -> str:
        return f"{scheme}://{self.authority}{self.path}"


def read_address(text: str) -> Address:
    """Read what a user typed as the address of a served environment.

    Raises:
        TargetError: it is none; the text says why, and never repeats a password.

    Example:
        >>> read_address("wss://Example.org/env/ws").http
        'https://example.org/env'
    """
    text = text.strip()
    if "://" not in text:
        raise _not_an_address(text, "no scheme in it", f"Did you mean {_with_scheme(text)}?")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as fault:
        raise _not_an_address(
            text, str(fault), "Give an address such as http://localhost:8000"
        ) from None
    return _checked(text, parts, port)


def follow(here: str, location: str) -> str | None:
    """Return where a redirect of `here` leads, None where we do not go there.

    Followed is what stays on the same host and port, and the step up from http to https (ws to
    wss) there: a server we were pointed at must not point us at another one.
    """
    try:
        target = urljoin(here, location)
        old, new = urlsplit(here), urlsplit(target)
        old_secure, new_secure = _SECURE[old.scheme], _SECURE[new.scheme]
        old_port = old.port or (443 if old_secure else 80)
        new_port = new.port or (443 if new_secure else 80)
    except (ValueError, KeyError):
        return None
    if old.hostname != new.hostname or new.username or new.password or old_secure > new_secure:
        return None
    stepped_up = new_secure > old_secure and (old_port, new_port) == (80, 443)
    return target if stepped_up or old_port == new_port else None


def upgraded(address: Address, reached: str) -> Address:
    """Return the address as it is after a redirect that stepped up to https."""
    parts = urlsplit(reached)
    if address.secure or parts.scheme not in ("https", "wss"):
        return address
    return replace(address, secure=True, port=parts.port or 443)


def proxy_for(address: Address, explicit: str | None) -> str | None:
    """Return the proxy on the way to an address: the one given, else that of the environment.

    The usual variables (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY) decide, the same for
    HTTP and WebSocket, but never for this machine: no proxy reaches its loopback.
    """
    if explicit is not None:
        return explicit
    if address.is_loopback or urllib.request.proxy_bypass(address.authority):
        return None
    found = urllib.request.getproxies()
    return found.get("https" if address.secure else "http") or found.get("all")


def checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers as they will be sent.

    Raises:
        TargetError: one cannot be sent; only its name is told, never its value.
    """
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise _bad_header(name, "its name holds characters that no header name may hold")
        if name.lower() in _OURS or name.lower().startswith("sec-websocket-"):
            raise _bad_header(name, "the connection itself sets it")
        if not value.isascii() or not value.isprintable():
            raise _bad_header(name, "its value holds a line break or a character outside ASCII")
    return dict(headers)


def shown(text: str, length: int = 200) -> str:
    """Return a stranger's text as one printable line of bounded length."""
    cut = text if len(text) <= length else text[: length - 3] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut)


def _checked(text: str, parts: SplitResult, port: int | None) -> Address:
    example = "Give an address such as http://localhost:8000"
    if parts.scheme not in _SECURE:
        raise _not_an_address(
            text, f"the scheme {parts.scheme!r} is not spoken here", "Use http, https, ws or wss"
        )
    if "@" in parts.netloc:
        raise _not_an_address(
            text,
            "a user name or password in an address ends up in logs and reports",
            "Leave it out and send an Authorization header instead",
        )
    if parts.query or parts.fragment:
        raise _not_an_address(
            text,
            "a base address has no query (?...) and no fragment (#...)",
            "Leave it out; a token belongs into a header",
        )
    host = _plain_host(parts.hostname or "")
    if host is None:
        raise _not_an_address(text, "there is no usable host name in it", example)
    if port == 0:
        raise _not_an_address(text, "port 0 cannot be connected to", example)
    if not _PATH.fullmatch(parts.path):
        raise _not_an_address(text, "the path holds characters that need %-encoding", example)
    secure = _SECURE[parts.scheme]
    return Address(
        secure=secure, host=host, port=port or (443 if secure else 80), path=_base(parts.path)
    )


def _plain_host(host: str) -> str | None:
    try:
        return str(ipaddress.IPv6Address(host)) if ":" in host else _ascii_host(host)
    except ValueError:
        return None


def _ascii_host(host: str) -> str | None:
    plain = host if host.isascii() else host.encode("idna").decode()
    return plain.lower() if _HOST.fullmatch(plain.lower()) else None


def _base(path: str) -> str:
    path = path.rstrip("/")
    for ending in _ENDINGS:
        if path.endswith(ending):
            return path.removesuffix(ending).rstrip("/")
    return path


def _with_scheme(text: str) -> str:
    host = text.partition("/")[0]
    name, _, port = host.rpartition(":")
    at_home = name == "localhost" or host == "localhost" or host[:1].isdigit() or host[:1] == "["
    plain = at_home or (bool(name) and port != "443")
    return f"{'http' if plain else 'https'}://{_masked(text)}"


def _masked(text: str) -> str:
    hidden = re.sub(r"([?#]).*", r"\1***", re.sub(r"(^|//)[^/?#]*@", r"\1***@", text), flags=re.S)
    return shown(hidden) or "http://localhost:8000"


def _not_an_address(text: str, what: str, do: str) -> TargetError:
    return TargetError(what, where=f"address {_masked(text)!r}", do=do)


def _bad_header(name: str, what: str) -> TargetError:
    return TargetError(
        what, where=f"header {shown(name, 60)!r}", do="Correct or leave out the header"
    )
