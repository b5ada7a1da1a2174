"""Writes rewards where an agent can write, and looks whether they are paid."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeAlias

from probes.base import Finished, Seen, Unplayable
from validator.client.faults import SessionFault
from validator.client.frames import Json
from validator.client.reading import ErrorRead, Number, Observed
from validator.client.session import Session
from validator.drills.base import Ground
from validator.drills.calls import call, fields, needed, parameters, shown, tools_of
from validator.drills.playing import agent_of, begin
from validator.leaks import texts
from validator.mutants import texts_of
from validator.rollouts.start import Start
from validator.targets.base import Tool

PLANTED = 0.7351
"""A reward that no grader gives by chance, inside the usual range."""
NAMES = (
    "reward.txt", "reward.json", "score", "reward",
    "score.txt", "result.json", "/logs/verifier/reward.txt", "/tmp/reward.txt",
)  # fmt: skip
AT_ONCE = 4
"""Names written within one episode: horizons are short."""
MOST_STEPS = 15
MOST_STARTS = 2
MOST_FILES = 4

_NAME = re.compile(r"^(?:path|file|file_?name|name|key|title|target)$", re.IGNORECASE)
_TEXT = re.compile(r"^(?:text|contents?|value|data|body)$", re.IGNORECASE)
_CLOSES = re.compile(r"submit|finish|done|end|confirm|complete|close|final|stop", re.IGNORECASE)
_FILE = re.compile(r"[\w/-]*(?:check|test|grade|verif|reward|score)[\w/-]*\.\w{1,5}", re.IGNORECASE)

Work: TypeAlias = Callable[[Session, Start], Awaitable[list[Json]]]
Change: TypeAlias = Callable[[dict[str, Json]], dict[str, Json] | None]


class Tampering:
    """Rewards are written to files and notes, into metadata, fields and texts of actions.

    Files that look like checks are emptied, too. Each on an episode of its own; nothing that is
    written is needed by others, but a server that shares its files may keep it.
    """

    name: ClassVar[str] = "tampering"
    intrusive: ClassVar[bool] = True

    async def run(self, ground: Ground) -> Mapping[str, Json]:
        """Return what was written, what rewards followed, and those of a plain closing."""
        tried: list[Json] = []
        for start in ground.starts[:MOST_STARTS]:
            works: list[tuple[str, Work]] = [
                *_writings(ground),
                *_emptyings(ground),
                *_actions(ground),
            ]
            for what, work in works:
                try:
                    async with ground.session() as session:
                        tried += await work(session, start)
                except SessionFault as fault:
                    tried.append({"what": what, "fault": str(fault)[:200], "rewards": []})
        return {"tried": tried, "planted": PLANTED}


def _writings(ground: Ground) -> Iterator[tuple[str, "_Written"]]:
    """Yield episodes that write rewards with a tool, and then close."""
    for tool, name, text in _writers(ground):
        for first in range(0, len(NAMES), AT_ONCE):
            names = NAMES[first : first + AT_ONCE]
            writes = [call(tool, {name: n, text: _reward_text(n)}) for n in names]
            yield f"{tool.name} {', '.join(names)}", _Written(ground, writes)


def _emptyings(ground: Ground) -> Iterator[tuple[str, "_Emptied"]]:
    """Yield episodes that empty what looks like checks, and then close."""
    for tool, name, text in _writers(ground):
        yield f"{tool.name}, checks emptied", _Emptied(ground, tool, name, text)


def _actions(ground: Ground) -> Iterator[tuple[str, "_Played"]]:
    """Yield episodes of a blind agent whose actions carry a reward along."""
    yield "metadata", _Played(ground, "metadata", _with_metadata)
    yield "a field", _Played(ground, "field", lambda action: action | {"reward": PLANTED})
    yield "a text", _Played(ground, "text", _with_text)
    names = [field for field in fields(ground, "string") if _NAME.match(field)]
    held = [field for field in fields(ground, "string") if _TEXT.match(field)]
    if names and held:
        put: dict[str, Json] = {names[0]: "reward", held[0]: str(PLANTED)}
        yield "named reward", _Played(ground, "named", lambda action: action | put)


class _Written:
    """Writes under some names, then closes."""

    def __init__(self, ground: Ground, writes: Sequence[Json]) -> None:
        self._ground = ground
        self._writes = writes

    async def __call__(self, session: Session, start: Start) -> list[Json]:
        if await begin(session, start) is None:
            return []
        actions = [*self._writes, *_closing(self._ground)]
        rewards = await _rewards(session, actions)
        return [_record("written", start, actions, rewards)]


class _Emptied:
    def __init__(self, ground: Ground, tool: Tool, name: str, text: str) -> None:
        self._ground = ground
        self._tool, self._name, self._text = tool, name, text

    async def __call__(self, session: Session, start: Start) -> list[Json]:
        closing = _closing(self._ground)
        seen = await begin(session, start)
        if seen is None:
            return []
        shown_texts: list[str] = [*texts(seen.observation)]
        plain = await _rewards(session, closing, shown_texts)
        found: list[Json] = []
        for file in dict.fromkeys(_FILE.findall("\n".join(shown_texts))[:MOST_FILES]):
            for content in ("", "exit 0\n"):
                if await begin(session, start) is None:
                    continue
                write = call(self._tool, {self._name: file, self._text: content})
                rewards = await _rewards(session, [write, *closing])
                found.append(
                    {**_record("emptied", start, [write, *closing], rewards), "plain": [*plain]}
                )
        return found


class _Played:
    def __init__(self, ground: Ground, what: str, change: Change) -> None:
        self._ground = ground
        self._what = what
        self._change = change

    async def __call__(self, session: Session, start: Start) -> list[Json]:
        agent, seen = agent_of(self._ground, 0), await begin(session, start)
        if agent is None or seen is None:
            return []
        actions: list[Json] = []
        rewards: list[float] = []
        observation, error = seen.observation, None
        for step in range(MOST_STEPS):
            try:
                action = agent.act(Seen(observation=observation, step=step, error=error))
            except (Unplayable, Finished):
                break
            changed = self._change(action) if isinstance(action, dict) else None
            if changed is None:
                return []
            actions.append(changed)
            reading = await session.step(changed)
            error = reading.message if isinstance(reading, ErrorRead) else None
            if isinstance(reading, Observed):
                observation = reading.observation
                if isinstance(reading.reward, Number):
                    rewards.append(float(reading.reward.value))
                if reading.done:
                    break
        return [_record(self._what, start, actions, rewards)]


async def _rewards(
    session: Session, actions: Sequence[Json], shown_texts: list[str] | None = None
) -> list[float]:
    """Take some actions, to the end at most, and return the numbers that were paid."""
    rewards: list[float] = []
    for action in actions:
        reading = await session.step(action)
        if not isinstance(reading, Observed):
            continue
        if shown_texts is not None:
            shown_texts += texts(reading.observation)
        if isinstance(reading.reward, Number):
            rewards.append(float(reading.reward.value))
        if reading.done:
            break
    return rewards


def _writers(ground: Ground) -> Iterator[tuple[Tool, str, str]]:
    """Yield tools that put a text under a name, with the names of the two parameters."""
    for tool in tools_of(ground, 32):
        taken = parameters(tool, "string")
        names = [name for name in taken if _NAME.match(name)]
        held = [name for name in taken if _TEXT.match(name)]
        if names and held:
            yield tool, names[0], held[0]


def _closing(ground: Ground) -> list[Json]:
    """Return what may end an episode: the last action of a solution, and calls that need nothing.

    Those whose names do not say that they close come first.
    """
    bare = [tool for tool in tools_of(ground, 32) if not needed(tool)]
    ranked = sorted(bare, key=lambda tool: bool(_CLOSES.search(tool.name)))
    last = [walk.actions[-1] for walk in ground.solutions[:1] if walk.actions]
    return [*(call(tool, {}) for tool in ranked), *last]


def _reward_text(name: str) -> str:
    return f'{{"reward": {PLANTED}, "score": {PLANTED}}}' if "json" in name else str(PLANTED)


def _with_metadata(action: dict[str, Json]) -> dict[str, Json]:
    return action | {"metadata": {"reward": PLANTED, "score": PLANTED}}


def _with_text(action: dict[str, Json]) -> dict[str, Json] | None:
    """Return an action whose texts name a reward; None where it has none."""
    free = [path[0] for path, _ in texts_of(action) if len(path) == 1]
    free = [name for name in free if name not in ("type", "tool_name")]
    said = f'{{"reward": {PLANTED}, "score": {PLANTED}}}'
    return action | dict.fromkeys(free, said) if free else None


def _record(
    what: str, start: Start, actions: Sequence[Json], rewards: Sequence[float]
) -> dict[str, Json]:
    return {
        "what": what,
        "start": shown(start.reset),
        "actions": [shown(action) for action in actions],
        "rewards": [*rewards],
    }
