"""An episode as JSON, and back: what is stored, whatever the file."""

from collections.abc import Iterable
from typing import Any

from validator.client.frames import Frame, Json
from validator.client.reading import Missing, NotANumber, Null, Number, Reward
from validator.episodes import Absent, Episode, Failed, Outcome, Scored, Step

FORMAT = 1


def encode(episode: Episode) -> dict[str, Any]:
    """Return an episode as a JSON object, without its frames."""
    key = episode.key
    return {
        "format": FORMAT,
        "key": {
            "task": key.task,
            "seed": key.seed,
            "probe": key.probe,
            "repeat": key.repeat,
            "scripted": key.scripted,
            "replay": key.replay,
            "condition": key.condition,
            "walk": key.walk,
            "campaign": key.campaign,
        },
        "position": episode.position,
        "session": episode.session,
        "outcome": _encode_outcome(episode.outcome),
        "ended": episode.ended,
        "last": episode.last,
        "started": episode.start is not None,
        "unplayable": episode.unplayable,
        "rewards": [_encode_paid(step) for step in episode.steps],
        "done": [step.done for step in episode.steps],
        "after": [[_encode_paid(step), step.done] for step in episode.after],
        "seconds": {
            "open": _short(episode.open_seconds),
            "reset": _short(episode.reset_seconds),
            "steps": [round(step.seconds, 6) for step in episode.steps],
            "all": _short(episode.seconds),
        },
    }


def encode_frames(frames: Iterable[Frame]) -> list[Json]:
    """Return frames as JSON: way, text and seconds of each."""
    return [[way[0], text, round(seconds, 6)] for way, text, seconds in frames]


def frames_of(record: dict[str, Any]) -> list[Frame]:
    """Return a stored episode's raw frames."""
    ways = {"s": "sent", "r": "received"}
    return [Frame(ways[way], text, seconds) for way, text, seconds in record["frames"]]  # type: ignore[arg-type]


def encode_reward(reward: Reward) -> Json:
    """Return a reward as JSON: a number, null, or a word for what is neither."""
    match reward:
        case Number(value=value):
            return value
        case Null():
            return None
        case Missing():
            return "missing"
        case NotANumber(found=found):
            return {"not_a_number": found}


def decode_reward(found: Json) -> Reward:
    """Undo `encode_reward`."""
    if found is None:
        return Null()
    if found == "missing":
        return Missing()
    if isinstance(found, dict):
        return NotANumber(str(found["not_a_number"]))
    assert isinstance(found, int | float)
    return Number(found)


def decode_outcome(found: list[Any]) -> Outcome:
    """Return the outcome of a stored episode."""
    match found:
        case ["scored", score]:
            return Scored(float(score))
        case ["absent", why]:
            return Absent(why)
        case ["failed", boundary, why]:
            return Failed(boundary=boundary, why=why)
    raise ValueError(f"no outcome: {found!r:.80}")


def _encode_paid(step: Step) -> Json:
    return "error" if step.error is not None else encode_reward(step.reward)


def _encode_outcome(outcome: Outcome) -> list[Any]:
    match outcome:
        case Scored(score=score):
            return ["scored", score]
        case Absent(why=why):
            return ["absent", why]
        case Failed(boundary=boundary, why=why):
            return ["failed", boundary, why]


def _short(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 6)
