"""Bounded questions over HTTP: every answer has a limit in bytes, time and destination."""

import asyncio
import re
import ssl
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Literal, Self, TypeAlias

import httpx

from validator.client.address import follow, proxy_for, shown
from validator.client.frames import Json, parse
from validator.client.tls import trusting
from validator.client.way import Way

MOST_REDIRECTS = 5
_MOVED = frozenset({301, 302, 303, 307, 308})
_KEEPS_METHOD = frozenset({307, 308})
_PLAIN = {"Accept": "application/json", "Accept-Encoding": "identity"}


Cause: TypeAlias = Literal["network", "tls", "time", "size", "elsewhere"]
"""What kept an answer away; `elsewhere` is a redirect that is not followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, read whole."""

    status: int
    kind: str
    """Media type without parameters, lower case; empty where none was given."""
    body: bytes
    url: str
    """Where it came from, after redirects."""
    retry_after: float = 0.0
    """Seconds after which it says it may be asked again; 0 where it does not say."""

    @property
    def json(self) -> Json:
        """Return the body as parsed JSON.

        Raises:
            ValueError: it is none, or nested too deep.
        """
        return parse(self.body.decode("utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """No whole answer came."""

    why: str
    cause: Cause
    url: str


Reply: TypeAlias = Answer | Unanswered


class Http:
    """One connection to one server, one question after the other."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._base = way.address.http
        self._client = httpx.AsyncClient(
            headers={**_PLAIN, **way.headers},
            verify=trusting(),
            trust_env=False,
            proxy=proxy_for(way.address, way.proxy),
            follow_redirects=False,
            timeout=None,  # one bound on the whole of an answer, below
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def get(self, route: str) -> Reply:
        return await self._ask("GET", route, None)

    async def post(self, route: str, body: Json) -> Reply:
        return await self._ask("POST", route, body)

    async def _ask(self, method: str, route: str, body: Json) -> Reply:
        """Ask once, and once more on a new connection where an old one had died unannounced."""
        url = self._base + route
        seconds = self._way.limits.http_seconds
        pause = 0.25
        for retries in range(self._way.limits.connect_retries, -1, -1):
            try:
                async with asyncio.timeout(seconds):
                    return await self._follow(method, url, body)
            except TimeoutError:
                return Unanswered(why=f"no whole answer in {seconds:g} s", cause="time", url=url)
            except (httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError) as fault:
                if retries and not _is_tls(fault):
                    await asyncio.sleep(pause)
                    pause *= 2
                    continue
                return Unanswered(
                    why=_told(fault), cause="tls" if _is_tls(fault) else "network", url=url
                )
            except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as fault:
                return Unanswered(why=_told(fault), cause="network", url=url)
        raise AssertionError("the loop returns")

    async def _follow(self, method: str, url: str, body: Json) -> Reply:
        for _ in range(MOST_REDIRECTS + 1):
            request = self._client.build_request(
                method, url, json=body if method == "POST" else None
            )
            response = await self._client.send(request, stream=True)
            try:
                location = response.headers.get("location")
                if response.status_code not in _MOVED or location is None:
                    return await self._read(response, url)
            finally:
                await response.aclose()
            target = follow(url, location)
            if target is None or (method == "POST" and response.status_code not in _KEEPS_METHOD):
                return Unanswered(
                    why=f"it redirects to {shown(location, 100)}", cause="elsewhere", url=url
                )
            url = target
        return Unanswered(why=f"more than {MOST_REDIRECTS} redirects", cause="network", url=url)

    async def _read(self, response: httpx.Response, url: str) -> Reply:
        most = self._way.limits.http_bytes
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            return Unanswered(
                why="the answer is compressed, which was not asked for", cause="network", url=url
            )
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > most:
                return Unanswered(
                    why=f"an answer larger than the limit of {most} bytes", cause="size", url=url
                )
        return Answer(
            status=response.status_code,
            kind=response.headers.get("content-type", "").partition(";")[0].strip().lower(),
            body=bytes(body),
            url=url,
            retry_after=_seconds_of(response.headers.get("retry-after", "")),
        )


def _seconds_of(text: str) -> float:
    """Return the seconds that a Retry-After names, as a number or as a date; 0 where it does not.

    A number of more than nine digits is none: nobody waits for it.
    """
    if re.fullmatch(r"\s*\d{1,9}\s*", text, re.ASCII):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text[:60]).timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return 0.0


def _is_tls(fault: BaseException) -> bool:
    """Say whether securing the connection failed, at whatever depth the library tells it."""
    seen: BaseException | None = fault
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _told(fault: BaseException) -> str:
    text = shown(str(fault).strip())
    return text or type(fault).__name__
