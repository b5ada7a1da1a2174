"""Sends tickets by a few words, and takes all else for a question of billing."""

from collections.abc import Mapping
from typing import Any

WORDS = {"export": "technical", "site": "technical", "offer": "sales", "account": "security"}


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return the queue of the first word that is known; urgent is what is shouted."""
    text = observation["message"]["text"]
    queue = next((queue for word, queue in WORDS.items() if word in text), "billing")
    return {"queue": queue, "urgent": text.endswith("!")}
