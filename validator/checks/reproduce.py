"""Says how to make an episode happen again with any WebSocket client."""

import json

from validator.client.frames import Json
from validator.evidence import Evidence
from validator.table import Row, actions_of

MOST_FRAMES = 6
MOST_CHARACTERS = 120


def by_hand(evidence: Evidence, row: Row, *, steps: int | None = None) -> str:
    """Return the frames to send over `/ws`, up to and with step `steps`, all where None."""
    sent = list(actions_of(evidence.table.frames(row)))
    if steps is not None:
        sent = sent[: steps + 1]
    shown = [_spell(frame) for frame in sent[:MOST_FRAMES]]
    if len(sent) > MOST_FRAMES:
        shown.append(f"and {len(sent) - MOST_FRAMES} more of episode {row.key.path}")
    return "on a new session send " + "; ".join(shown)


def _spell(frame: Json) -> str:
    text = json.dumps(frame, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 3] + "..."
