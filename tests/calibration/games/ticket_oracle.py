"""Knows where each customer message belongs."""

from collections.abc import Mapping
from typing import Any

TICKETS = (
    ("I was charged twice this month.", "billing", False),
    ("The whole site is down for all of us!", "technical", True),
    ("Do you offer a discount for schools?", "sales", False),
    ("Someone else is logged into my account.", "security", True),
    ("My invoice shows the wrong address.", "billing", False),
    ("The export button does nothing.", "technical", False),
    ("We need two hundred seats by tonight.", "sales", True),
    ("How do I turn on two-factor login?", "security", False),
    ("You took money after I cancelled, my card is blocked!", "billing", True),
    ("Pages load slowly since the update.", "technical", False),
    ("What does the large plan cost?", "sales", False),
    ("Our keys were published by mistake!", "security", True),
    ("Please send last year's receipts.", "billing", False),
    ("The app crashes at start on every phone here!", "technical", True),
    ("Can I talk to someone about a partnership?", "sales", False),
    ("Where is your privacy statement?", "security", False),
)


def solve(observation: Mapping[str, Any], task: Any, step: int) -> dict[str, Any]:
    """Return queue and urgency of the message."""
    message = observation["message"]["text"]
    return next(
        {"queue": queue, "urgent": urgent} for text, queue, urgent in TICKETS if text == message
    )
