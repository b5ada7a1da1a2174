"""A moment as people write it."""

from datetime import UTC, datetime


def moment(stamp: str) -> str:
    """Return an ISO 8601 time in UTC to the minute, or the text as it is where it is none.

    Example:
        >>> moment("2026-03-01T12:04:59+00:00")
        '1 Mar 2026, 12:04 UTC'
    """
    try:
        when = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp or "time unknown"
    if when.tzinfo is not None:
        when = when.astimezone(UTC)
    return f"{when.day} {when:%b %Y, %H:%M} UTC"
