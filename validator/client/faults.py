"""What can go wrong on one session, named after where it went wrong.

SessionFault            never raised itself
  Refused               the server would not grant a session (capacity, factory, upgrade)
  Timeout               no answer within the limit
  Closed                the connection ended before the answer came
  Oversize              a frame was larger than the limit
  Transport             the network failed in another way
    Elsewhere           the way leads to another host: not followed

These end one episode, not the run. An error frame is an answer, not a fault: it is read by
`validator.client.reading`.
"""


class SessionFault(Exception):
    """Ends one session."""

    boundary = "session"

    def __init__(self, why: str, *, operation: str) -> None:
        super().__init__(f"{operation}: {why}")
        self.why, self.operation = why, operation


class Refused(SessionFault):
    """The server would not grant a session.

    `capacity` is the number of sessions the server says it serves, where it says so; `status`
    is the HTTP status the upgrade was answered with, where that was the refusal.
    """

    boundary = "capacity"

    def __init__(
        self,
        why: str,
        *,
        operation: str,
        capacity: int | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(why, operation=operation)
        self.capacity, self.status = capacity, status


class Timeout(SessionFault):
    """No answer within the limit."""

    boundary = "timeout"


class Closed(SessionFault):
    """The connection ended before the answer came.

    `code` is the WebSocket close code, None where the connection just dropped.
    """

    boundary = "closed"

    def __init__(self, why: str, *, operation: str, code: int | None = None) -> None:
        super().__init__(why, operation=operation)
        self.code = code


class Oversize(SessionFault):
    """A frame was larger than the limit."""

    boundary = "size"


class Transport(SessionFault):
    """The network failed in another way."""

    boundary = "transport"


class Elsewhere(Transport):
    """The way leads to another host: not followed."""
