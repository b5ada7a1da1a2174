"""Bounds on size, time and destination."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how large an answer of a stranger may be."""

    connect_seconds: float = 10.0
    reset_seconds: float = 60.0
    """First resets build worlds: cold starts of half a minute are common."""
    step_seconds: float = 30.0
    http_seconds: float = 10.0
    start_seconds: float = 60.0
    """How long a server may say, at the first contact, that it is not up yet."""
    listen_seconds: float = 3.0
    """How long nobody may listen at the address yet: a mistyped one is to be told soon."""
    http_bytes: int = 8 * 2**20
    frame_bytes: int = 100 * 2**20
    """Largest frame accepted. Screenshots pass 1 MiB."""
    kept_frame_bytes: int = 2**20
    """Most of one received frame that is kept. All of it is read; what is kept of a larger one
    ends in a note with its hash."""
    kept_episode_bytes: int = 16 * 2**20
    """Most that is kept of an episode's frames; of those beyond only the note is."""
    connect_retries: int = 2
    """Retries of connection set-up only; nothing that reached a session is sent twice."""
    ping_seconds: float | None = 20.0
    """Interval of keep-alive pings; None sends none (some tunnels drop them). A ping without
    an answer ends nothing: the limits above do, and slow environments do not answer pings."""
