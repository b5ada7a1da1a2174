"""Writes the table of episodes as CSV: a row an episode, a column a fact."""

import csv
import io

from validator.episodes import Absent, Failed, Outcome, Scored
from validator.table import EpisodeTable

COLUMNS = (
    "task", "seed", "probe", "repeat", "replay", "condition", "scripted", "campaign", "position",
    "outcome", "score", "why", "ended", "steps", "open_seconds", "reset_seconds", "step_seconds",
)  # fmt: skip
"""`score` is empty where there is none; `why` then says why. `step_seconds` is of all steps."""


def episodes_csv(table: EpisodeTable) -> str:
    """Return the table; metrics read its columns as they are (task, seed, probe, repeat, score)."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in table.everything:
        key = row.key
        outcome, why = _told(row.outcome)
        writer.writerow(
            (
                _cell(key.task), key.seed, key.probe, key.repeat, key.replay, key.condition,
                int(key.scripted), key.campaign, row.position, outcome, row.score, _cell(why),
                row.ended, row.steps, row.open_seconds, row.reset_seconds,
                round(sum(row.step_seconds), 6),
            )
        )  # fmt: skip
    return text.getvalue()


def _told(outcome: Outcome) -> tuple[str, str]:
    match outcome:
        case Scored():
            return "scored", ""
        case Absent(why=why):
            return "absent", why
        case Failed(boundary=boundary, why=why):
            return boundary, why


def _cell(text: str) -> str:
    """Return a stranger's text that no spreadsheet takes for a formula."""
    shown = text[:500].replace("\x00", "")
    return f"'{shown}" if shown[:1] in ("=", "+", "@", "\t", "\r") else shown
