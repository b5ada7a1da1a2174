"""A language model as a probe: asked for one action after the other."""

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from probes.base import Json, Lane, Rung, Seen, Stuck, Unplayable
from probes.model.cache import Cache, key_of
from probes.model.endpoint import Endpoint, Pace, Place, Rejected, Unusable
from probes.model.form import Form, Misfit, form_of
from probes.model.ledger import Budget, Ledger, Prices
from probes.model.prompt import PROMPT_VERSION, Bounds, Message, Talk
from probes.model.reply import Malformed, Refused, Reply, action_of, kept_part, read_reply

Mode: TypeAlias = Literal["schema", "tools", "text"]
"""How a reply is held to its form: by a JSON Schema, as a tool call, by asking for it."""

MODES: tuple[Mode, ...] = ("schema", "tools", "text")
CORRECTIONS = 1
"""Times a model is told that its reply held no action, before the episode is given up."""
STUCK_IN_A_ROW = 3
"""Episodes without an action after which a model is given up."""
MOST_CHANGES = 6
"""Times a call is changed because the endpoint did not take it."""
LONGEST_ANSWER = 2_000
"""Characters of an answer that later messages show."""
_TOO_LONG = re.compile(r"context|too (?:long|large|many tokens)|exceed|maximum.{0,40}token", re.I)
_WORD = "zebra-7"
_TRIAL_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"word": {"enum": [_WORD]}},
    "required": ["word"],
    "additionalProperties": False,
}
_TRIAL_TOOL: dict[str, Json] = {
    "type": "function",
    "function": {"name": "wave", "description": "Wave a hand", "parameters": _TRIAL_SCHEMA},
}
_TRIAL: list[Message] = [{"role": "user", "content": "Say hello."}]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """What a language-model probe may be told."""

    name: str
    model: str = ""
    """Id of the model; the first that the endpoint lists where none is given."""
    mode: Mode | Literal["auto"] = "auto"
    temperature: float = 0.0
    starts: int = 20
    """Most starts it plays from."""
    repeats: int = 1
    """Episodes it plays from each (k)."""
    reply_tokens: int = 256
    bounds: Bounds = Bounds()
    pace: Pace = Pace()
    budget: Budget = Budget()
    prices: Prices | None = None


@dataclass(slots=True)
class _Dialect:
    """What was learned of how the endpoint wants to be asked."""

    model: str
    mode: Mode
    untried: list[Mode] = field(default_factory=list)
    tokens_name: str = "max_tokens"
    leaves_out: set[str] = field(default_factory=set)
    changes: int = 0


class ModelProbe:
    """A language model behind an OpenAI-compatible endpoint."""

    rung: Rung = "model"

    def __init__(self, tier: Tier, place: Place, cache: Cache) -> None:
        self.tier = tier
        self.name = f"model:{tier.name}"
        self.ledger = Ledger(budget=tier.budget, prices=tier.prices)
        self._endpoint = Endpoint(place, tier.pace)
        self._cache = cache
        self._dialect: _Dialect | None = None
        self._learning = asyncio.Lock()
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._gone = ""
        self._stuck = 0
        self.version = self._version()
        """What decides how it plays: version of the prompt, model, mode and temperature."""

    @property
    def url(self) -> str:
        return self._endpoint.place.url

    @property
    def model(self) -> str:
        """Return the id that is asked for."""
        return self._dialect.model if self._dialect else self.tier.model

    @property
    def mode(self) -> str:
        """Return how replies are held to their form; `auto` before the first call."""
        return self._dialect.mode if self._dialect else self.tier.mode

    @property
    def most(self) -> tuple[int, int]:
        """Return the most starts, and episodes of each."""
        return self.tier.starts, self.tier.repeats

    @property
    def seconds(self) -> float:
        """Return the time that it may take."""
        return self.tier.budget.seconds

    def begin(self, lane: Lane, rng: np.random.Generator) -> "_Player":
        """Start an episode.

        Raises:
            Unplayable: there is nothing to ask for, or no one to ask any more.
        """
        if self._gone:
            raise Unplayable(self._gone)
        seed = int(rng.integers(2**31)) if self.tier.temperature > 0 else 0
        return _Player(self, form_of(lane), seed)

    async def close(self) -> None:
        """Let go of connections and files."""
        await self._endpoint.close()
        self._cache.close()

    async def ask(self, talk: Talk, notes: list[Message], form: Form, seed: int) -> Reply:
        """Return the model's reply to a conversation.

        Raises:
            Unplayable: the endpoint cannot be used, or the budget is spent.
        """
        try:
            dialect = await self._learn()
            for _ in range(MOST_CHANGES):
                changes = dialect.changes
                messages = [*talk.messages(), *notes]
                body = self._body(dialect, messages, form.schema, form.tools, seed)
                try:
                    return await self._reply(body)
                except Rejected as fault:
                    if _TOO_LONG.search(fault.told) and talk.shrink():
                        continue
                    if changes == dialect.changes:  # no other episode has found the cause yet
                        self._change(dialect, fault)
            raise Unusable(f"{self.url} does not take calls in any form that was tried")
        except Unusable as fault:
            self._gone = str(fault)
            raise Unplayable(self._gone) from None
        finally:
            self.ledger.retried(self._endpoint.retries)
            self._endpoint.retries = 0

    def note(self, *, stuck: bool) -> None:
        """Count an episode without an action, or an action."""
        self._stuck = self._stuck + 1 if stuck else 0
        if self._stuck >= STUCK_IN_A_ROW:
            self._gone = f"{self._stuck} episodes in a row ended without an action from the model"

    async def _learn(self) -> _Dialect:
        """Return how the endpoint wants to be asked; found out once, by at most three calls."""
        async with self._learning:
            if self._dialect is None:
                model = self.tier.model or next(iter(await self._endpoint.models()), "")
                if not model:
                    raise Unusable(f"{self.url} lists no models: name one after a #")
                if self.tier.mode != "auto":
                    self._dialect = _Dialect(model=model, mode=self.tier.mode)
                else:
                    self._dialect = await self._tried(model)
                self.version = self._version()
            return self._dialect

    def _version(self) -> str:
        return f"{PROMPT_VERSION} {self.model or '?'} {self.mode} t={self.tier.temperature:g}"

    async def _tried(self, model: str) -> _Dialect:
        dialect = _Dialect(model=model, mode="text")
        for place, mode in enumerate(MODES[:-1]):
            dialect.mode = mode
            if await self._keeps_form(dialect):
                dialect.untried = list(MODES[place + 1 :])
                return dialect
        dialect.mode = "text"
        return dialect

    async def _keeps_form(self, dialect: _Dialect) -> bool:
        """Say whether a reply comes in a form that no model would choose by itself."""
        for _ in range(MOST_CHANGES):
            body = self._body(dialect, _TRIAL, _TRIAL_SCHEMA, (_TRIAL_TOOL,), 0)
            try:
                reply = await self._reply(body)
            except Rejected as fault:
                if fault.status == 404 or not self._adapt(dialect, fault):
                    return False
                continue
            if dialect.mode == "tools":
                return bool(reply.calls)
            try:
                return bool(json.loads(reply.content) == {"word": _WORD})
            except (ValueError, RecursionError):
                return False
        return False

    def _body(
        self,
        dialect: _Dialect,
        messages: list[Message],
        schema: dict[str, Json],
        tools: tuple[dict[str, Json], ...],
        seed: int,
    ) -> dict[str, Json]:
        shown: list[Json] = [*messages]
        body: dict[str, Json] = {
            "model": dialect.model,
            "messages": shown,
            dialect.tokens_name: self.tier.reply_tokens,
            "temperature": self.tier.temperature,
            "seed": seed,
        }
        for name in dialect.leaves_out:
            body.pop(name, None)
        if dialect.mode == "schema":
            held: dict[str, Json] = {"name": "action", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": held}
        elif dialect.mode == "tools":
            body["tools"] = [*tools]
            body["tool_choice"] = "required"
        return body

    def _change(self, dialect: _Dialect, fault: Rejected) -> None:
        """Ask otherwise from now on.

        Raises:
            Unusable: there is no other way.
        """
        dialect.changes += 1
        if fault.status != 404 and self._adapt(dialect, fault):
            return
        if fault.status != 404 and dialect.untried:
            dialect.mode = dialect.untried.pop(0)
            self.version = self._version()
            return
        raise Unusable(f"{self.url} does not take the call ({fault})")

    def _adapt(self, dialect: _Dialect, fault: Rejected) -> bool:
        """Leave out or rename what the endpoint names as unknown; False where it names nothing."""
        told = fault.told.lower()
        if "max_completion_tokens" in told and dialect.tokens_name == "max_tokens":
            dialect.tokens_name = "max_completion_tokens"
            return True
        for name in ("seed", "temperature"):
            if name in told and name not in dialect.leaves_out:
                dialect.leaves_out.add(name)
                return True
        return False

    async def _reply(self, body: dict[str, Json]) -> Reply:
        """Return the reply to one call, from the cache where it is there."""
        if self._gone:
            raise Unusable(self._gone)
        self.ledger.check()
        key = key_of({"endpoint": self.url, "prompt": PROMPT_VERSION, "body": body})
        async with self._asking.setdefault(key, asyncio.Lock()):  # asked once, in a rerun as now
            kept = self._cache.get(key)
            if kept is None:
                try:
                    fresh = kept_part(await self._endpoint.complete(body))
                except Malformed as fault:
                    raise Unusable(f"{self.url} {fault}") from None
                self.ledger.book(fresh, kept=False)
                self._cache.put(key, fresh)
                return read_reply(fresh)
            self.ledger.book(kept, kept=True)
            return read_reply(kept)


class _Player:
    """A model in one episode."""

    def __init__(self, probe: ModelProbe, form: Form, seed: int) -> None:
        self._probe = probe
        self._form = form
        self._seed = seed
        self._talk = Talk(form.explained, probe.tier.bounds, form.shots)

    async def act(self, seen: Seen) -> Json:
        """Return the model's action."""
        self._talk.look(seen)
        notes: list[Message] = []
        why = ""
        for _ in range(1 + CORRECTIONS):
            reply = await self._probe.ask(self._talk, notes, self._form, self._seed)
            try:
                action = action_of(reply, self._form)
            except Refused as fault:
                self._probe.ledger.refused()
                why = f"the model refuses: {fault}"
                break
            except Misfit as fault:
                self._probe.ledger.misread()
                why = f"the model's reply holds no action: {fault}"
                notes = _corrected(reply, str(fault))
                continue
            self._talk.answered(_answer(reply))
            self._probe.note(stuck=False)
            return action
        self._probe.note(stuck=True)
        raise Stuck(why)

    async def close(self) -> None:
        """Nothing is held."""


def _answer(reply: Reply) -> str:
    """Return what later messages show of a reply."""
    if reply.calls:
        name, arguments = reply.calls[0]
        return json.dumps({"tool": name, "arguments": arguments})[:LONGEST_ANSWER]
    return reply.content.strip()[:LONGEST_ANSWER] or "{}"


def _corrected(reply: Reply, why: str) -> list[Message]:
    return [
        {"role": "assistant", "content": _answer(reply)},
        {"role": "user", "content": f"That was no action: {why}. Answer with the JSON object."},
    ]
