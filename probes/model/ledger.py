"""Counts calls, tokens and money of one language-model probe, and holds them to a budget."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from probes.base import Json, Unplayable

MILLION = 1_000_000
MOST_TOKENS = 10**9
"""Tokens of one call beyond which a count is not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, in whatever currency the user reckons."""

    prompt: float
    completion: float
    cached: float | None = None
    """Prompt tokens that the endpoint had kept; as `prompt` where nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Ceilings on what one probe may use in one run."""

    calls: int = 1_000
    tokens: int = 2_000_000
    money: float = math.inf
    seconds: float = 1_800.0
    """Time from its first call on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one reply took, as the endpoint says."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt tokens: those that the endpoint had kept from earlier calls."""
    metered: bool = True
    """False where the endpoint counts no tokens."""

    @classmethod
    def read(cls, found: Json) -> "Usage":
        """Return the usage block of a reply; what is no count is none."""
        if not isinstance(found, dict) or _count(found.get("prompt_tokens")) is None:
            return cls(metered=False)
        details = found.get("prompt_tokens_details")
        cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
        prompt = _count(found.get("prompt_tokens")) or 0
        return cls(
            prompt_tokens=prompt,
            completion_tokens=_count(found.get("completion_tokens")) or 0,
            cached_tokens=min(cached or 0, prompt),
        )

    def told(self) -> dict[str, Json]:
        """Return it in the words that `read` takes."""
        if not self.metered:
            return {}
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
        }


@dataclass(slots=True)
class Count:
    """A sum of usages."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    unmetered: int = 0
    """Calls whose tokens the endpoint did not count."""

    def add(self, usage: Usage) -> None:
        """Add one reply."""
        self.calls += 1
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
        self.cached_tokens += usage.cached_tokens
        self.unmetered += not usage.metered

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def money(self, prices: Prices | None) -> float | None:
        """Return what that costs, None where there are no prices."""
        if prices is None:
            return None
        cached = prices.prompt if prices.cached is None else prices.cached
        fresh = self.prompt_tokens - self.cached_tokens
        whole = fresh * prices.prompt + self.cached_tokens * cached
        return (whole + self.completion_tokens * prices.completion) / MILLION


@dataclass(slots=True)
class Ledger:
    """What a probe has used in a run.

    `used` counts every reply, be it fresh or kept from an earlier run: it is the same in a rerun,
    and the budget is held against it. `fresh` counts what the endpoint was asked for now.
    """

    budget: Budget = field(default_factory=Budget)
    prices: Prices | None = None
    used: Count = field(default_factory=Count)
    fresh: Count = field(default_factory=Count)
    retries: int = 0
    refusals: int = 0
    unreadable: int = 0
    """Replies that held no action, refusals not counted."""
    served: dict[str, int] = field(default_factory=dict)
    """Model names that replies gave, with the number of replies."""
    began: float | None = None
    changed: Callable[[], None] = lambda: None
    """Called whenever something more was counted, so that it can be kept at once."""

    def check(self) -> None:
        """Begin a call.

        Raises:
            Unplayable: the budget is spent.
        """
        now = time.monotonic()
        self.began = now if self.began is None else self.began
        for name, used, most in (
            ("calls", self.used.calls, self.budget.calls),
            ("tokens", self.used.tokens, self.budget.tokens),
            ("money", self.used.money(self.prices) or 0.0, self.budget.money),
            ("seconds", now - self.began, self.budget.seconds),
        ):
            if used >= most:
                raise Unplayable(f"its budget of {most:g} {name} is spent")

    def totals(self) -> dict[str, Json]:
        """Return what was used, in the words that `restore` takes."""
        return {
            "used": asdict(self.used),
            "fresh": asdict(self.fresh),
            "retries": self.retries,
            "refusals": self.refusals,
            "unreadable": self.unreadable,
            "served": dict(self.served),
        }

    def restore(self, totals: Mapping[str, Json]) -> None:
        """Go on from what `totals` gave; what is no count is nothing."""
        for name in ("used", "fresh"):
            found = totals.get(name)
            counts = found if isinstance(found, dict) else {}
            setattr(self, name, Count(**{n: _whole(counts.get(n)) for n in asdict(Count())}))
        for name in ("retries", "refusals", "unreadable"):
            setattr(self, name, _whole(totals.get(name)))
        served = totals.get("served")
        names = served if isinstance(served, dict) else {}
        self.served = {name: _whole(number) for name, number in list(names.items())[:8]}

    def book(self, reply: Mapping[str, Json], *, kept: bool) -> None:
        """Count one reply."""
        usage = Usage.read(reply.get("usage"))
        self.used.add(usage)
        if not kept:
            self.fresh.add(usage)
        name = reply.get("model")
        if isinstance(name, str) and (name in self.served or len(self.served) < 8):
            self.served[name[:200]] = self.served.get(name[:200], 0) + 1
        self.changed()

    def refused(self) -> None:
        """Count a reply that was a refusal."""
        self.refusals += 1
        self.changed()

    def misread(self) -> None:
        """Count a reply that held no action."""
        self.unreadable += 1
        self.changed()

    def retried(self, times: int) -> None:
        """Count calls that were made once more."""
        self.retries += times
        if times:
            self.changed()


def _whole(found: Json) -> int:
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def _count(found: Json) -> int | None:
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MOST_TOKENS:
        return found
    return None
