"""One probe, one session, one episode, exactly one outcome."""

import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from probes.base import AnyAgent, Finished, Hearer, Seen, SlowAgent, Stuck, Unplayable
from validator.client.faults import Refused, SessionFault, Timeout
from validator.client.frames import Json
from validator.client.reading import ErrorRead, Missing, Number, Observed, Reading, Unreadable
from validator.client.session import Session
from validator.episodes import Episode, EpisodeKey, Failed, Outcome, Step
from validator.rollouts.broken import contained
from validator.rollouts.revealed import with_revealed
from validator.scoring import Rule, score_rewards

OVERRUN_STEPS = 3
"""Times the last action is repeated after the end, where the condition asks for it."""
MOST_OVERRUN_STEPS = 50
"""Actions of the episode that are taken once more after that, where those were not refused."""

REFUSED_IN_A_ROW = 10
"""Error answers after which an episode is given up: the probe cannot play here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What every episode of a run is played by."""

    max_steps: int
    longest: int | None = None
    """Steps of an episode that is played `long`; `max_steps` where None."""
    score: Rule = "sum"
    terminal: bool = False
    """Only the last step pays."""
    deadline: float = math.inf
    """Time on the performance counter after which no further step is taken."""
    reads_state: bool = False
    """The state is read once more when an episode has ended."""

    def cap(self, key: EpisodeKey) -> int:
        """Return the steps after which an episode is stopped."""
        return (self.longest or self.max_steps) if key.condition == "long" else self.max_steps


@dataclass(slots=True)
class _Tape:
    """What has been recorded of the running episode."""

    on_reset: Callable[[], None]
    started: float = field(default_factory=time.perf_counter)
    start: Mapping[str, Json] | None = None
    reset_seconds: float | None = None
    steps: list[Step] = field(default_factory=list)
    after: list[Step] = field(default_factory=list)
    unplayable: str = ""


async def play(
    session: Session,
    agent: AnyAgent,
    key: EpisodeKey,
    *,
    options: Mapping[str, Json],
    rules: Rules,
    position: int,
    on_reset: Callable[[], None],
) -> Episode:
    """Play one episode to its outcome; `on_reset` is called when the reset has succeeded.

    Raises:
        Refused: the server would not grant the session; nothing was played.
    """
    tape = _Tape(on_reset=on_reset)
    try:
        outcome, ended = await _run(session, agent, key, options, rules, tape)
    except Refused:
        raise
    except SessionFault as fault:
        boundary: Literal["timeout", "error"] = "timeout" if isinstance(fault, Timeout) else "error"
        outcome, ended = Failed(boundary=boundary, why=str(fault)), "failed"
    except Finished:
        outcome, ended = _score(tape, rules), "left"
    except Stuck as fault:
        outcome, ended = Failed(boundary="error", why=f"the probe is stuck: {fault}"), "failed"
    except Unplayable as fault:
        tape.unplayable = str(fault)
        outcome = Failed(boundary="error", why=f"the probe has no action to offer: {fault}")
        ended = "failed"
    finally:
        if isinstance(agent, SlowAgent):
            await agent.close()
    if rules.reads_state and ended != "failed" and key.condition != "overrun":
        with suppress(SessionFault):
            await session.state()
    return Episode(
        key=key,
        position=position,
        outcome=outcome,
        ended=ended,
        start=tape.start,
        unplayable=tape.unplayable,
        steps=tuple(tape.steps),
        after=tuple(tape.after),
        frames=session.take_frames(),
        open_seconds=None,
        reset_seconds=tape.reset_seconds,
        seconds=time.perf_counter() - tape.started,
    )


Ended = Literal["done", "left", "step_cap", "failed"]


async def _run(
    session: Session,
    agent: AnyAgent,
    key: EpisodeKey,
    options: Mapping[str, Json],
    rules: Rules,
    tape: _Tape,
) -> tuple[Outcome, Ended]:
    watched = key.condition == "watched"
    reading = await session.reset(seed=key.seed, options=options)
    if not isinstance(reading, Observed):
        return Failed(boundary="error", why=f"reset: {describe(reading)}"), "failed"
    tape.reset_seconds = time.perf_counter() - tape.started
    tape.start = reading.envelope
    tape.on_reset()
    if reading.done:
        return score_rewards((), rule=rules.score, terminal=rules.terminal), "done"
    seen = Seen(observation=reading.observation, step=0, aside=reading.metadata)
    refused = 0
    for index in range(1, rules.cap(key) + 1):
        if watched:
            await session.state()
        if time.perf_counter() > rules.deadline:
            return Failed(boundary="timeout", why="the time of the run was up"), "failed"
        action = await _asked(agent, seen, key.probe)
        began = time.perf_counter()
        with contained(key.probe):
            asked = session.step(action)  # it may be no JSON
        reading = await asked
        step = _taken(action, reading, time.perf_counter() - began)
        tape.steps.append(step)
        if step.error is None:
            refused = 0
            paid = float(step.reward.value) if isinstance(step.reward, Number) else None
            seen = Seen(observation=step.observation, step=index, reward=paid, aside=step.metadata)
            if step.done:
                await _tell(agent, seen, key.probe)
                await _overrun(session, key, tape)
                return _score(tape, rules), "done"
            continue
        refused += 1
        if why := _gives_up(reading, refused):
            return Failed(boundary="error", why=f"{why}{step.error}"), "failed"
        seen = Seen(observation=seen.observation, step=index, error=step.error)
    await _tell(agent, seen, key.probe)
    return _score(tape, rules), "step_cap"


async def _asked(agent: AnyAgent, seen: Seen, probe: str) -> Json:
    """Return the next action; other sessions are served while a slow agent thinks."""
    with contained(probe):
        action = agent.act(seen)
        if not isinstance(action, dict) and isinstance(action, Awaitable):
            action = await action
        return action


async def _tell(agent: AnyAgent, seen: Seen, probe: str) -> None:
    """Show an agent that wants to hear of it what its last action brought."""
    if isinstance(agent, Hearer):
        with contained(probe):
            await agent.over(seen)


def _gives_up(reading: Reading, refused: int) -> str:
    """Return how the reason begins for which an episode is given up; empty where it is not."""
    if refused == REFUSED_IN_A_ROW:
        return f"step: {refused} errors in a row, last: "
    return "step: " if isinstance(reading, Unreadable) else ""


def _taken(action: Json, reading: Reading, seconds: float) -> Step:
    """Return what a step was, be it refused."""
    if isinstance(reading, Observed):
        return Step(
            action=action,
            observation=reading.observation,
            metadata=reading.metadata,
            reward=reading.reward,
            done=reading.done,
            error=None,
            seconds=seconds,
        )
    return Step(
        action=action,
        observation=None,
        metadata=None,
        reward=Missing(),
        done=None,
        error=describe(reading),
        seconds=seconds,
    )


async def _overrun(session: Session, key: EpisodeKey, tape: _Tape) -> None:
    """Step on after the end where that is asked for; it is no part of the episode's outcome.

    First the last action again, then with what only the end has shown, then the episode's actions
    from the first: what quietly begins anew pays as it did before.
    """
    if key.condition != "overrun":
        return
    taken, last = [step.action for step in tape.steps], tape.steps[-1]
    first = None if tape.start is None else tape.start.get("observation")
    knowing = with_revealed(last.action, first, last.observation)
    try:
        for action in [last.action] * OVERRUN_STEPS + [*knowing, *taken[:MOST_OVERRUN_STEPS]]:
            began = time.perf_counter()
            reading = await session.step(action)
            tape.after.append(_taken(action, reading, time.perf_counter() - began))
            if len(tape.after) >= OVERRUN_STEPS and all(one.error for one in tape.after):
                return
    except SessionFault:
        return


def _score(tape: _Tape, rules: Rules) -> Outcome:
    rewards = [step.reward for step in tape.steps if step.error is None]
    return score_rewards(rewards, rule=rules.score, terminal=rules.terminal)


def describe(reading: Reading) -> str:
    """Return in words what came instead of an observation."""
    match reading:
        case ErrorRead(code=code, message=message, errors=errors):
            return f"{code or 'error'}: {message[:500]}{_details(errors)}"
        case Unreadable(why=why):
            return f"unreadable answer: {why}"
    return f"an answer of another kind ({type(reading).__name__})"


def _details(errors: Json) -> str:
    """Return which member each of the first validation errors is about, and what it says."""
    out = ""
    for entry in errors[:5] if isinstance(errors, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("msg"), str):
            found = entry.get("loc")
            place = found[:6] if isinstance(found, list) else []
            out += f"; {'.'.join(str(part)[:40] for part in place)}: {str(entry['msg'])[:200]}"
    return out
