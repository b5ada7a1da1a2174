"""Episodes as a run stores them, written by the store itself."""

import json
from pathlib import Path

from validator.client.frames import Frame, Json
from validator.client.reading import Null, Number
from validator.episodes import Episode, EpisodeKey, Failed, Scored, Step
from validator.rollouts.store import EpisodeStore


def key(probe: str = "random", **more: object) -> EpisodeKey:
    told = {"task": "-", "seed": 0, "repeat": 0, **more}
    return EpisodeKey(probe=probe, **told)  # type: ignore[arg-type]


def played(named: EpisodeKey, observations: list[Json], rewards: list[float | None]) -> Episode:
    """Return an episode whose frames say what its steps say."""
    frames, now = [], 0.0
    for number, (observation, reward) in enumerate(
        zip(observations, [None, *rewards], strict=True)
    ):
        sent: Json = {"type": "step", "data": {"move": number}}
        if number == 0:
            sent = {"type": "reset", "data": {"seed": named.seed}}
        done = number == len(rewards)
        data: dict[str, Json] = {"observation": observation, "reward": reward, "done": done}
        frames.append(Frame("sent", json.dumps(sent), now))
        now += 0.25
        answer = {"type": "observation", "data": data}
        frames.append(Frame("received", json.dumps(answer), now))
    steps = tuple(
        Step(
            action={"move": number}, observation=observation, metadata=None,
            reward=Null() if reward is None else Number(reward),
            done=number == len(rewards), error=None, seconds=0.25,
        )
        for number, (observation, reward) in enumerate(
            zip(observations[1:], rewards, strict=True), start=1
        )
    )  # fmt: skip
    total = sum(reward for reward in rewards if reward is not None)
    return Episode(
        key=named, position=0, session=1, outcome=Scored(float(total)), ended="done", start={},
        steps=steps, frames=tuple(frames), open_seconds=0.01, reset_seconds=0.25, seconds=now,
    )  # fmt: skip


def broken(named: EpisodeKey) -> Episode:
    """Return an episode that ended with an error frame and then with silence."""
    frames = (
        Frame("sent", '{"type": "reset", "data": {}}', 0.0),
        Frame("received", '{"type": "error", "data": {"message": "no such task"}}', 0.1),
        Frame("sent", '{"type": "step", "data": {"move": 1}}', 0.2),
    )
    return Episode(
        key=named, position=0, session=1, outcome=Failed(boundary="timeout", why="no answer"),
        ended="failed", start=None, steps=(), frames=frames, open_seconds=None,
        reset_seconds=None, seconds=5.0,
    )  # fmt: skip


def store_of(folder: Path, episodes: list[Episode]) -> Path:
    """Write a store and return its folder."""
    store = EpisodeStore.create(folder)
    for episode in episodes:
        store.append(episode)
    store.close()
    return folder
