"""Finds what a server did not outlive."""

from itertools import pairwise

from reports.model import Finding
from validator.checks.reproduce import by_hand
from validator.drills.bad_input import LONGEST_SHOWN
from validator.drills.base import DrillRecord
from validator.evidence import Evidence
from validator.table import Row

DO = (
    "Check an action before native code sees it: what aborts or exits there ends the sessions of "
    "all. The server's log of that time may show more."
)


MOST_NAMED = 8


def fall(evidence: Evidence) -> Finding | None:
    """Return the message of an exercise after which the server was gone, None where it lives.

    Gone means that the connection broke, and that none could be had since: a server that refuses
    a session, or is slow, lives.
    """
    fallen: DrillRecord | None = next((r for r in evidence.drills.values() if r.fatal), None)
    if fallen is None:
        return None
    return Finding(
        claim="a message brings the server down",
        saw="the connection broke, and no session could be had since",
        expected="an error frame, and a server that goes on",
        where=f"exercise {fallen.name}",
        reproduce="on a new session send "
        + "; ".join(message[:LONGEST_SHOWN] for message in fallen.fatal),
        do=DO,
    )


def broken_off(evidence: Evidence) -> Finding:
    """Return what was played when a server stopped answering in the middle of the episodes.

    All sessions break at that moment, so that one of several may have sent what ended it: not one
    whose last message was answered at another time, where there are others.
    """
    played = sorted(evidence.table.everything, key=lambda row: row.offset)
    whole = [place for place, row in enumerate(played) if row.ended != "failed"]
    late = played[whole[-1] + 1 if whole else 0 :] or played[-1:]
    cut = [row for row in late if row.started] or late
    answered = {text for row in played for text in _answered(evidence, row)}
    cut = [row for row in cut if _last(evidence, row) not in answered] or cut
    names = ", ".join(row.key.path for row in cut[1:MOST_NAMED])
    others = f", or one of {names}" if names else ""
    return Finding(
        claim="the server stopped answering in the middle of the run",
        saw=evidence.rollouts.stopped,
        expected="answers until the end",
        where=f"episode {cut[0].key.path}{others}",
        reproduce=by_hand(evidence, cut[0]),
        do=DO,
    )


def _answered(evidence: Evidence, row: Row) -> list[str]:
    """Return the messages of an episode that were answered, be it by an error."""
    return [
        frame.text
        for frame, after in pairwise(evidence.table.frames(row))
        if (frame.way, after.way) == ("sent", "received")
    ]


def _last(evidence: Evidence, row: Row) -> str:
    frames = evidence.table.frames(row)
    return frames[-1].text if frames and frames[-1].way == "sent" else ""
