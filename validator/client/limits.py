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
    http_bytes: int = 8 * 2**20
    frame_bytes: int = 100 * 2**20
    """Largest frame accepted. Screenshots pass 1 MiB."""
    connect_retries: int = 2
    """Retries of connection set-up only; nothing that reached a session is sent twice."""
    ping_seconds: float | None = 20.0
    """Keep-alive ping interval and patience; None sends none (some tunnels drop pings)."""
