"""Talks to an OpenAI-compatible endpoint within limits of size, time and rate.

The API key is sent as a header and stands nowhere else: what the endpoint sends back is freed of
it before anything reads it, since a stranger may echo what it was sent.
"""

import asyncio
import json
import math
import random
import time
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import httpx

from probes.base import Json

MOST_BYTES = 4 * 2**20
LONGEST_TOLD = 300
"""Characters of an endpoint's own words that are kept of an error."""
MOST_TRIES = 8
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
LONGEST_RETRY_AFTER = 120.0
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
HIDDEN = "[key]"

Method: TypeAlias = Literal["GET", "POST"]


class Unusable(Exception):
    """The endpoint cannot be used, now and later in this run; the text says why."""


class Rejected(Exception):
    """The endpoint takes calls, but not this one."""

    def __init__(self, status: int, told: str) -> None:
        super().__init__(f"status {status}: {told}" if told else f"status {status}")
        self.status, self.told = status, told


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How an endpoint is treated."""

    concurrency: int = 4
    """Calls at once."""
    per_minute: float = math.inf
    """Calls begun a minute."""
    call_seconds: float = 120.0
    """Time for one answer, from the first byte sent to the last received."""
    patience_seconds: float = 180.0
    """Time in which a call is tried again while the endpoint is busy, loading or away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a model is served."""

    url: str
    """Base address, `/v1` included."""
    key: str = field(default="", repr=False)
    key_variable: str = ""
    """Environment variable that the key came from, to be named in messages."""

    @classmethod
    def read(cls, url: str, *, key: str = "", key_variable: str = "") -> "Place":
        """Return the place of a base address; `/v1` is added where it has no path.

        Raises:
            ValueError: it is no address of http or https, or holds a password.
        """
        try:
            parts = urlsplit(url.strip())
            port_is_readable = parts.port is None or parts.port > 0
        except ValueError:
            raise ValueError("is no address") from None
        if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_readable:
            raise ValueError("is no address of http or https")
        if parts.username or parts.password:
            raise ValueError("holds a password; give the key in an environment variable")
        if parts.query or parts.fragment:
            raise ValueError("has a query, which a base address has not")
        path = parts.path.rstrip("/") or "/v1"
        plain = urlunsplit((parts.scheme, parts.netloc.lower(), path, "", ""))
        if any(not "!" <= sign <= "~" for sign in key):
            raise ValueError(f"the key in ${key_variable} holds signs that no header can")
        return cls(url=plain, key=key, key_variable=key_variable)


class Endpoint:
    """One served model. All calls of a run go through the same one."""

    def __init__(self, place: Place, pace: Pace) -> None:
        self.place = place
        self._pace = pace
        self._client: httpx.AsyncClient | None = None
        self._room = asyncio.Semaphore(max(1, pace.concurrency))
        self._not_before = 0.0
        self._jitter = random.Random()
        self.retries = 0

    async def models(self) -> list[str]:
        """Return the ids of the models that the endpoint lists; none where it has no list.

        Raises:
            Unusable: it cannot be used.
        """
        try:
            found = await self._ask("GET", "/models", None)
        except Rejected:
            return []
        listed = found.get("data")
        ids = (
            [one.get("id") for one in listed if isinstance(one, dict)]
            if isinstance(listed, list)
            else []
        )
        return [one for one in ids if isinstance(one, str) and 0 < len(one) <= 300][:1000]

    async def complete(self, body: dict[str, Json]) -> dict[str, Json]:
        """Return the answer to a chat completion.

        Raises:
            Unusable: it cannot be used.
            Rejected: it does not take this call.
        """
        return await self._ask("POST", "/chat/completions", body)

    async def close(self) -> None:
        """Close the connections; they are opened again where they are needed again."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def _ask(self, method: Method, route: str, body: Json) -> dict[str, Json]:
        """Ask until there is an answer, with growing pauses while the endpoint is busy."""
        give_up = time.monotonic() + self._pace.patience_seconds
        why = ""
        for attempt in range(MOST_TRIES):
            async with self._room:
                await self._wait_for_turn()
                found = await self._once(method, route, body)
            if not isinstance(found, _Busy):
                return found
            why = found.why
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2**attempt) * self._jitter.uniform(0.75, 1.25)
            if found.after is not None:
                wait = min(LONGEST_RETRY_AFTER, found.after)
                self._not_before = max(self._not_before, time.monotonic() + wait)
            if attempt == MOST_TRIES - 1 or time.monotonic() + wait > give_up:
                break
            self.retries += 1
            await asyncio.sleep(wait)
        raise Unusable(f"{self.place.url} {why} (tried {attempt + 1} times)")

    async def _wait_for_turn(self) -> None:
        while (wait := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        if math.isfinite(self._pace.per_minute):
            self._not_before = time.monotonic() + 60.0 / self._pace.per_minute

    async def _once(self, method: Method, route: str, body: Json) -> "dict[str, Json] | _Busy":
        try:
            async with asyncio.timeout(self._pace.call_seconds):
                status, headers, text = await self._exchange(method, route, body)
        except TimeoutError:
            return _Busy(f"gave no whole answer within {self._pace.call_seconds:g} s")
        except httpx.InvalidURL as fault:
            raise Unusable(f"{self.place.url} is no address ({fault})") from None
        except httpx.HTTPError as fault:
            return _Busy(f"gave no answer ({type(fault).__name__})")
        told = _told(text)
        if status in (401, 403):
            raise Unusable(self._unwelcome(status, told))
        if status in BUSY:
            return _Busy(f"answered status {status} {told}".rstrip(), _retry_after(headers))
        if status >= 300:
            raise Rejected(status, told)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            return _Busy("answered what is no JSON object")
        return found

    async def _exchange(
        self, method: Method, route: str, body: Json
    ) -> tuple[int, httpx.Headers, str]:
        content = None if body is None else json.dumps(body).encode()
        async with self._opened().stream(
            method, self.place.url + route, content=content
        ) as response:
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise Unusable(f"{self.place.url} packs its answers though asked not to")
            parts, size = [], 0
            async for part in response.aiter_raw():
                size += len(part)
                if size > MOST_BYTES:
                    raise Unusable(f"{self.place.url} answered more than {MOST_BYTES} bytes")
                parts.append(part)
        text = b"".join(parts).decode("utf-8", "replace")
        return response.status_code, response.headers, self._without_key(text)

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            headers = {
                "Content-Type": "application/json",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "User-Agent": "envassay",
            }
            if self.place.key:
                headers["Authorization"] = f"Bearer {self.place.key}"
            self._client = httpx.AsyncClient(headers=headers, follow_redirects=False, timeout=None)
        return self._client

    def _without_key(self, text: str) -> str:
        return text.replace(self.place.key, HIDDEN) if self.place.key else text

    def _unwelcome(self, status: int, told: str) -> str:
        name = self.place.key_variable
        if self.place.key:
            why = f"does not take the key in ${name}" if name else "does not take the key"
        else:
            why = f"wants a key: set ${name}" if name else "wants a key"
        return f"{self.place.url} {why} (status {status}) {told}".rstrip()


@dataclass(frozen=True, slots=True)
class _Busy:
    """No answer, but there may be one later."""

    why: str
    after: float | None = None
    """Seconds after which the endpoint wants to be asked again."""


def _retry_after(headers: httpx.Headers) -> float | None:
    try:
        wait = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, wait) if math.isfinite(wait) else None


def _told(text: str) -> str:
    """Return the endpoint's own words in an error, on one line and bounded."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = text
    for name in ("error", "message", "detail"):
        if isinstance(found, dict) and name in found:
            found = found[name]
    words = found if isinstance(found, str) else json.dumps(found)
    return " ".join(words[: 10 * LONGEST_TOLD].split())[:LONGEST_TOLD]
