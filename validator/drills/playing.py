"""How exercises play: a reset that may need a second try, and turns of one agent."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from probes.base import Agent, Finished, Seen, Unplayable
from validator.client.frames import Frame, Json
from validator.client.reading import Number, Observed, Reading, Unreadable
from validator.client.session import Session
from validator.drills.base import Ground
from validator.rollouts.play import describe
from validator.rollouts.start import Start
from validator.table import trace_of

TRIES = 3
"""Resets tried before a start is given up: some servers are honestly busy now and then."""
REFUSED_IN_A_ROW = 5
"""Error answers after which an episode is given up."""
RESET = '{"type": "reset"'


def agent_of(ground: Ground, number: int) -> Agent | None:
    """Return a blind agent, None where no probe can act here."""
    try:
        return ground.begin(number)
    except (Unplayable, Finished):
        return None


async def begin(session: Session, start: Start, *, episode_id: str = "") -> Observed | None:
    """Reset to a start; None where the server answers with errors only."""
    named: dict[str, Json] = {"episode_id": episode_id} if episode_id else {}
    for _ in range(TRIES):
        reading = await session.reset(seed=start.seed, options={**start.task.options, **named})
        if isinstance(reading, Observed):
            return reading
    return None


@dataclass(slots=True)
class Turns:
    """One agent on one session, turn by turn, from a reset that succeeded."""

    session: Session
    agent: Agent
    seen: Observed
    taken: int = 0
    actions: list[Json] = field(default_factory=list)
    """What was done so far; the same again is played by `Walk`."""
    over: bool = False
    _refused: int = 0
    _error: str | None = None

    def __post_init__(self) -> None:
        self.over = bool(self.seen.done)

    async def take(self) -> Reading | None:
        """Play one action and return the answer; None where the episode is over."""
        if self.over:
            return None
        reward = self.seen.reward
        paid = float(reward.value) if self.taken and isinstance(reward, Number) else None
        try:
            action = self.agent.act(
                Seen(
                    observation=self.seen.observation,
                    step=self.taken,
                    reward=paid,
                    error=self._error,
                )
            )
        except (Unplayable, Finished):
            self.over = True
            return None
        self.actions.append(action)
        reading = await self.session.step(action)
        self.taken += 1
        if isinstance(reading, Observed):
            self.seen, self._refused, self._error = reading, 0, None
            self.over = bool(reading.done)
        else:
            self._refused, self._error = self._refused + 1, describe(reading)
            self.over = isinstance(reading, Unreadable) or self._refused == REFUSED_IN_A_ROW
        return reading

    async def play(self, most: int) -> None:
        """Take up to `most` turns."""
        for _ in range(most):
            if await self.take() is None:
                return


def last_episode(frames: Sequence[Frame]) -> list[dict[str, Json]]:
    """Return what came back at the last reset of a session and at each step since."""
    begins = [n for n, f in enumerate(frames) if f.way == "sent" and f.text.startswith(RESET)]
    return trace_of(frames[begins[-1] :]) if begins else []
